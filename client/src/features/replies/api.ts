import { useQuery } from '@tanstack/react-query';
import { type CannedReply, PAGE_LIMIT_MAX } from 'server/contract';
import { call } from '../../lib/api.ts';
import { networkError } from '../../lib/http.ts';
import { keys } from '../../lib/query.ts';

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

/** Reads the files of a canned reply, to be sent as any others. @throws ApiError */
export function readReplyFiles({ files }: CannedReply): Promise<File[]> {
  return Promise.all(
    files.map(async ({ url, name, mime }) => {
      const answer = await fetch(url);
      if (!answer.ok) throw networkError(`${name} could not be loaded.`);
      return new File([await answer.blob()], name, { type: mime });
    }),
  );
}
