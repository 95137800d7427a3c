import { useQuery } from '@tanstack/react-query';
import { type CannedReply, PAGE_LIMIT_MAX } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';

/** All canned replies of a website, sorted by shortcut; loaded once they are `needed`. */
export function useCannedReplies(siteId: string, needed: boolean) {
  return useQuery({
    queryKey: keys.replies(siteId),
    queryFn: ({ signal }) => readAll(siteId, signal),
    enabled: needed,
  });
}

async function readAll(siteId: string, signal: AbortSignal, cursor?: string): Promise<CannedReply[]> {
  const query = { siteId, limit: PAGE_LIMIT_MAX, ...(cursor !== undefined && { cursor }) };
  const { replies, nextCursor } = await call('GET /canned-replies', { query, signal });
  return nextCursor === null ? replies : [...replies, ...(await readAll(siteId, signal, nextCursor))];
}
