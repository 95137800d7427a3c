import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Api, CannedReply } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { upload } from '../../lib/upload.ts';

/** A canned reply as the form has it. */
export interface ReplyValues {
  shortcut: string;
  content: string;
  /** Of a new one: only for the user. */
  personal: boolean;
}

interface ReplyDraft extends ReplyValues {
  /** The stored files that stay. */
  kept: readonly string[];
  added: readonly File[];
}

/** Creates a canned reply, or changes one where there is one already; then sends its new files, one after the other. */
export function useSaveCannedReply(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: async ({ reply, draft }: { reply: CannedReply | null; draft: ReplyDraft }) => {
      const { shortcut, content, personal, added } = draft;
      const saved = reply
        ? await patchReply(reply, draft)
        : await call('POST /canned-replies', { body: { siteId, shortcut, content, personal } });
      return sendFiles(saved.reply, added);
    },
    onSettled: reload,
  });
}

/** Sends only what was changed: what a colleague has changed meanwhile stays. */
async function patchReply(
  reply: CannedReply,
  { shortcut, content, kept }: ReplyDraft,
): Promise<{ reply: CannedReply }> {
  const body = {
    ...(shortcut !== reply.shortcut && { shortcut }),
    ...(content !== reply.content && { content }),
    ...(kept.length < reply.files.length && { files: [...kept] }),
  };
  if (Object.keys(body).length === 0) return { reply };
  return call('PATCH /canned-replies/:id', { params: { id: reply._id }, body });
}

export function useRemoveCannedReply(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: (id: string) => call('DELETE /canned-replies/:id', { params: { id } }),
    onSuccess: reload,
  });
}

/** A reply as it is stored now, and the files that could not be stored, each with the reason. */
interface SavedReply {
  saved: CannedReply;
  unsent: { file: File; error: unknown }[];
}

async function sendFiles(reply: CannedReply, files: readonly File[]): Promise<SavedReply> {
  const result: SavedReply = { saved: reply, unsent: [] };
  for (const file of files) {
    const query = new URLSearchParams({ name: file.name });
    const path = `/canned-replies/${reply._id}/files?${query}`;
    try {
      result.saved = (await sendTo<Api['POST /canned-replies/:id/files']['data']>(path, file)).reply;
    } catch (error) {
      result.unsent.push({ file, error });
    }
  }
  return result;
}

function sendTo<Data>(path: string, file: File): Promise<Data> {
  return upload<Data>(path, file, { onProgress: () => {}, signal: new AbortController().signal });
}

/** Imports a CSV file, or with `dryRun` only asks what that would do. */
export function useImportReplies(siteId: string) {
  const reload = useReload(siteId);
  return useMutation({
    mutationFn: ({ file, dryRun }: { file: File; dryRun: boolean }) =>
      sendTo<Api['POST /canned-replies/import']['data']>(
        `/canned-replies/import?siteId=${siteId}${dryRun ? '&dryRun=yes' : ''}`,
        file,
      ),
    onSuccess: reload,
  });
}

function useReload(siteId: string) {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.replies(siteId) });
}
