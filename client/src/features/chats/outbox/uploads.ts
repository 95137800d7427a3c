import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { uuid } from 'browser/uuid';
import { useMemo, useSyncExternalStore } from 'react';
import { type Api, FILE_NAME_MAX_LENGTH, PICTURE_TYPES, type User } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { upload } from '../../../lib/upload.ts';
import { mergeMessages, patchThread } from '../live/thread.ts';
import type { PicturePreview, Upload } from '../model/timeline.ts';
import { type Outbox, outboxOf } from './outbox.ts';

/** Sends a file to the server and puts the answer into the cache. Idempotent, by the `clientId`. */
type FileTransport = (
  upload: Upload,
  options: { onProgress: (progress: number) => void; signal: AbortSignal },
) => Promise<void>;

/** Keeps a user's files in memory until the server has confirmed them; closing the page loses them. */
type Uploads = ReturnType<typeof createUploads>;

const NONE: readonly Upload[] = [];

/** Kept outside the components: an upload goes on while another chat is open. */
const uploadsByClient = new WeakMap<QueryClient, Map<string, Uploads>>();

/** The files that the user is sending in a chat. */
export function useUploads(chatId: string, user: User) {
  const uploads = uploadsOf(useQueryClient(), user);
  const items = useSyncExternalStore(uploads.subscribe, () => uploads.list(chatId));
  return useMemo(() => {
    const { retry, remove } = uploads;
    return { items, add: (files: readonly File[]) => uploads.add(chatId, files), retry, remove };
  }, [uploads, chatId, items]);
}

function uploadsOf(client: QueryClient, user: User): Uploads {
  const byUser = uploadsByClient.get(client) ?? new Map<string, Uploads>();
  const uploads = byUser.get(user._id) ?? createUploads(transportOf(client, outboxOf(user)));
  uploadsByClient.set(client, byUser.set(user._id, uploads));
  return uploads;
}

function transportOf(client: QueryClient, outbox: Outbox): FileTransport {
  return async ({ chatId, clientId, file, at }, options) => {
    // It goes another way than texts, and could overtake those that were written first.
    await outbox.textsSent(chatId, at);
    options.signal.throwIfAborted();
    // A name that is too long keeps its end, where the extension is.
    const query = new URLSearchParams({ name: file.name.slice(-FILE_NAME_MAX_LENGTH), clientId });
    const path = `/chats/${chatId}/files?${query}`;
    const { message } = await upload<Api['POST /chats/:id/files']['data']>(path, file, options);
    patchThread(client, chatId, (thread) => mergeMessages(thread, [message]));
  };
}

/** Sends one file per chat at a time, in the order they were chosen; a failed one waits until its sender retries it. */
export function createUploads(send: FileTransport) {
  const listeners = new Set<() => void>();
  const requests = new Map<string, AbortController>();
  let byChat = new Map<string, readonly Upload[]>();

  const all = () => [...byChat.values()].flat();
  const find = (clientId: string) => all().find((each) => each.clientId === clientId);
  const next = (chatId: string) => byChat.get(chatId)?.find(({ failed }) => failed === null);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();

  function write(chatId: string, change: (uploads: readonly Upload[]) => readonly Upload[]): void {
    byChat = new Map(byChat).set(chatId, change(byChat.get(chatId) ?? NONE));
    // What is unsent is lost with the page: the browser asks before it closes the page.
    if (all().length > 0) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
    for (const listener of listeners) listener();
  }

  function patch({ chatId, clientId }: Upload, change: Partial<Upload>): void {
    write(chatId, (uploads) => uploads.map((each) => (each.clientId === clientId ? { ...each, ...change } : each)));
  }

  function drop({ chatId, clientId }: Upload): void {
    const picture = find(clientId)?.picture;
    if (picture) URL.revokeObjectURL(picture.url);
    write(chatId, (uploads) => uploads.filter((each) => each.clientId !== clientId));
  }

  async function sendChat(chatId: string): Promise<void> {
    if (requests.has(chatId)) return;
    for (let item = next(chatId); item; item = next(chatId)) {
      const request = new AbortController();
      requests.set(chatId, request);
      await sendOne(item, request.signal);
    }
    requests.delete(chatId);
  }

  async function sendOne(item: Upload, signal: AbortSignal): Promise<void> {
    try {
      await send(item, { onProgress: (progress) => patch(item, { progress }), signal });
      drop(item);
    } catch (error) {
      patch(item, { failed: error instanceof Error ? error.message : t('It could not be sent.'), progress: 0 });
    }
  }

  async function addPicture(item: Upload): Promise<void> {
    const picture = await pictureOf(item.file);
    if (picture && find(item.clientId)) patch(item, { picture });
    else if (picture) URL.revokeObjectURL(picture.url);
  }

  return {
    list: (chatId: string) => byChat.get(chatId) ?? NONE,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Shows and sends files, one after the other. */
    add: (chatId: string, files: readonly File[]) => {
      const added = files.map((file, index) => createUpload(chatId, file, Date.now() + index));
      write(chatId, (uploads) => [...uploads, ...added]);
      for (const item of added) void addPicture(item);
      void sendChat(chatId);
    },
    /** Sends a failed one again, under the same `clientId`. */
    retry: (clientId: string) => {
      const item = find(clientId);
      if (!item) return;
      const again = { ...item, failed: null, at: Date.now() };
      write(item.chatId, (uploads) => [...uploads.filter((each) => each !== item), again]);
      void sendChat(item.chatId);
    },
    /** Removes a file, and aborts its request. */
    remove: (clientId: string) => {
      const item = find(clientId);
      if (!item) return;
      const isSending = next(item.chatId)?.clientId === clientId;
      drop(item);
      if (isSending) requests.get(item.chatId)?.abort();
    },
  };
}

function createUpload(chatId: string, file: File, at: number): Upload {
  const clientId = uuid();
  return { clientId, chatId, content: file.name, note: false, at, failed: null, file, picture: null, progress: 0 };
}

/** The picture in a file; null where this browser cannot show it. */
async function pictureOf(file: File): Promise<PicturePreview | null> {
  if (!PICTURE_TYPES.includes(file.type)) return null;
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { url: URL.createObjectURL(file), width, height };
  } catch {
    return null;
  }
}
