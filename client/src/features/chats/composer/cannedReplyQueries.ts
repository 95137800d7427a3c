import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

/** Creates a canned reply, or changes one where `_id` is given. */
export function useSaveCannedReply(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: async ({ _id, ...body }: { _id: string | null; shortcut: string; content: string }) =>
      _id === null
        ? call('POST /canned-replies', { body: { siteId, ...body } })
        : call('PATCH /canned-replies/:id', { params: { id: _id }, body }),
    onSuccess: reload,
  });
}

export function useRemoveCannedReply(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: (id: string) => call('DELETE /canned-replies/:id', { params: { id } }),
    onSuccess: reload,
  });
}

function useReload(siteId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.replies(siteId) });
}

async function readAll(siteId: string, signal: AbortSignal, cursor?: string): Promise<CannedReply[]> {
  const query = { siteId, limit: PAGE_LIMIT_MAX, ...(cursor !== undefined && { cursor }) };
  const { replies, nextCursor } = await call('GET /canned-replies', { query, signal });
  return nextCursor === null ? replies : [...replies, ...(await readAll(siteId, signal, nextCursor))];
}
