import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api, HistoryImport, ImportRunBody } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { upload } from '../../lib/upload.ts';

const key = (siteId: string) => ['imports', siteId] as const;
/** How soon progress shows. */
const PROGRESS_EVERY_MS = 1_000;
/** The server reads the whole file before it answers. */
const UPLOAD_STALL_MS = 120_000;

/** Whether an import is under way. */
export const isRunning = (one: HistoryImport | null) => one?.status === 'checking' || one?.status === 'importing';

/** The newest import of a site; null: there is none. While it runs, its progress is followed. */
export function useNewestImport(siteId: string) {
  return useQuery({
    queryKey: key(siteId),
    queryFn: async ({ signal }): Promise<HistoryImport | null> =>
      (await call('GET /sites/:id/imports', { params: { id: siteId }, signal })).imports[0] ?? null,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (isRunning(data ?? null) ? PROGRESS_EVERY_MS : false),
  });
}

/** Does something to an import, and shows what the server answers. */
function useImportChange<Input>(siteId: string, mutationFn: (input: Input) => Promise<{ import: HistoryImport }>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: ({ import: one }) => client.setQueryData<HistoryImport>(key(siteId), one),
  });
}

/** Sends a file; the answer says which columns it has. */
export function useUploadHistory(siteId: string) {
  return useImportChange(siteId, ({ file, onProgress }: { file: File; onProgress: (share: number) => void }) => {
    const path = `/sites/${siteId}/imports?${new URLSearchParams({ name: file.name })}`;
    const options = { onProgress, signal: new AbortController().signal, stallMs: UPLOAD_STALL_MS };
    return upload<Api['POST /sites/:id/imports']['data']>(path, file, options);
  });
}

/** Starts a dry run or an import. */
export function useRunImport(siteId: string) {
  return useImportChange(siteId, ({ importId, ...body }: ImportRunBody & { importId: string }) =>
    call('POST /sites/:id/imports/:importId/run', { params: { id: siteId, importId }, body }),
  );
}

export function useCancelImport(siteId: string) {
  return useImportChange(siteId, (importId: string) =>
    call('DELETE /sites/:id/imports/:importId', { params: { id: siteId, importId } }),
  );
}

/** Makes lists and searches read again, after an import has added chats. */
export function useReloadChats() {
  const client = useQueryClient();
  return () => {
    for (const queryKey of [...keys.ofChats, keys.sites]) void client.invalidateQueries({ queryKey });
  };
}
