import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type CannedReply, PAGE_LIMIT_MAX } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';

/** A stretch of the text that asks for a canned reply: a '/' at the start or after a blank, and how it goes on. */
export interface Slash {
  /** Where the '/' stands. */
  from: number;
  /** What stands between it and the caret. */
  word: string;
}

/** So many fit above the field. */
const SHOWN = 8;
const SLASH = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]*)$/u;

/** The canned reply that is asked for at the caret, if one is. */
export function slashAt(text: string, caret: number): Slash | null {
  const word = SLASH.exec(text.slice(0, caret))?.[1];
  return word === undefined ? null : { from: caret - word.length - 1, word };
}

/** The replies that a word may mean: by how the shortcut begins, then by what stands in it or in the text. */
export function matching(replies: readonly CannedReply[], word: string): CannedReply[] {
  const wanted = word.normalize('NFC').toLowerCase();
  const begins = replies.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const holds = replies.filter(
    ({ shortcut, content }) =>
      !shortcut.startsWith(wanted) && (shortcut.includes(wanted) || content.toLowerCase().includes(wanted)),
  );
  return [...begins, ...holds].slice(0, SHOWN);
}

/** All canned replies of a site, by shortcut; read when they are `needed`. */
export function useReplies(siteId: string, needed: boolean) {
  return useQuery({
    queryKey: keys.replies(siteId),
    queryFn: ({ signal }) => readAll(siteId, signal),
    enabled: needed,
  });
}

/** Writes a canned reply down: a new one, or another text or shortcut of one that is there. */
export function useSaveReply(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: async ({ _id, ...body }: { _id: string | null; shortcut: string; content: string }) =>
      _id === null
        ? call('POST /canned-replies', { body: { siteId, ...body } })
        : call('PATCH /canned-replies/:id', { params: { id: _id }, body }),
    onSuccess: reload,
  });
}

/** Removes a canned reply. */
export function useRemoveReply(siteId: string) {
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
