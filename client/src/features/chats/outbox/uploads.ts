import { PICTURE_TYPES } from 'server/contract';
import { newClientId } from '../../../lib/clientId.ts';
import type { Outgoing } from './outboxStorage.ts';

/** How a picture looks before the server has it: an address within the page, and its size in pixels. */
export interface Picture {
  url: string;
  width: number;
  height: number;
}

/** A file that the server has not confirmed yet: an outgoing message whose content is its name. */
export interface Upload extends Outgoing {
  file: File;
  picture: Picture | null;
  /** How much of it is through, 0 to 1. */
  share: number;
}

/** Takes a file to the server and shows what came of it; a repeat with the same `clientId` is harmless. */
export type FileCarrier = (
  upload: Upload,
  options: { onProgress: (share: number) => void; signal: AbortSignal },
) => Promise<void>;

/** Holds a user's files from the key that sends them until the server has them. They do not outlive the page. */
export interface Uploads {
  list: (chatId: string) => readonly Upload[];
  subscribe: (listener: () => void) => () => void;
  /** Shows and sends files, one after the other. */
  add: (chatId: string, files: readonly File[]) => void;
  /** Tries a failed one again, under its old name. */
  retry: (clientId: string) => void;
  /** Forgets a file, and breaks its sending off. */
  remove: (clientId: string) => void;
}

const NONE: readonly Upload[] = [];

/** One file of a chat is on its way at a time, in the order of choosing; a failed one waits for its sender. */
export function createUploads(carry: FileCarrier): Uploads {
  const listeners = new Set<() => void>();
  const running = new Map<string, AbortController>();
  let byChat = new Map<string, readonly Upload[]>();

  const all = () => [...byChat.values()].flat();
  const find = (clientId: string) => all().find((upload) => upload.clientId === clientId);
  const warn = (event: BeforeUnloadEvent) => event.preventDefault();

  function write(chatId: string, change: (uploads: readonly Upload[]) => readonly Upload[]): void {
    byChat = new Map(byChat).set(chatId, change(byChat.get(chatId) ?? NONE));
    // What is not through is lost with the page: the browser asks before it goes.
    if (all().length > 0) window.addEventListener('beforeunload', warn);
    else window.removeEventListener('beforeunload', warn);
    for (const listener of listeners) listener();
  }

  function patch(chatId: string, clientId: string, change: Partial<Upload>): void {
    write(chatId, (uploads) => uploads.map((each) => (each.clientId === clientId ? { ...each, ...change } : each)));
  }

  async function drain(chatId: string): Promise<void> {
    if (running.has(chatId)) return;
    for (let next = nextOf(chatId); next; next = nextOf(chatId)) {
      const stop = new AbortController();
      running.set(chatId, stop);
      await sendOne(next, stop.signal);
    }
    running.delete(chatId);
  }

  const nextOf = (chatId: string) => byChat.get(chatId)?.find(({ failed }) => failed === null);

  async function sendOne(upload: Upload, signal: AbortSignal): Promise<void> {
    const { chatId, clientId } = upload;
    try {
      await carry(upload, { onProgress: (share) => patch(chatId, clientId, { share }), signal });
      take(upload);
    } catch (error) {
      const failed = error instanceof Error ? error.message : 'It could not be sent.';
      patch(chatId, clientId, { failed, share: 0 });
    }
  }

  function take({ chatId, clientId }: Upload): void {
    const picture = find(clientId)?.picture;
    if (picture) URL.revokeObjectURL(picture.url);
    write(chatId, (uploads) => uploads.filter((each) => each.clientId !== clientId));
  }

  return {
    list: (chatId) => byChat.get(chatId) ?? NONE,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (chatId, files) => {
      const fresh = files.map((file, index) => startUpload(chatId, file, Date.now() + index));
      write(chatId, (uploads) => [...uploads, ...fresh]);
      for (const { clientId, file } of fresh)
        void pictureOf(file).then((picture) => {
          if (picture && find(clientId)) patch(chatId, clientId, { picture });
          else if (picture) URL.revokeObjectURL(picture.url);
        });
      void drain(chatId);
    },
    retry: (clientId) => {
      const upload = find(clientId);
      if (!upload) return;
      const again = { ...upload, failed: null, at: Date.now() };
      write(upload.chatId, (uploads) => [...uploads.filter((each) => each !== upload), again]);
      void drain(upload.chatId);
    },
    remove: (clientId) => {
      const upload = find(clientId);
      if (!upload) return;
      const isRunning = nextOf(upload.chatId)?.clientId === clientId;
      take(upload);
      if (isRunning) running.get(upload.chatId)?.abort();
    },
  };
}

function startUpload(chatId: string, file: File, at: number): Upload {
  const clientId = newClientId();
  return { clientId, chatId, content: file.name, note: false, at, failed: null, file, picture: null, share: 0 };
}

/** The picture that a file is, if it is one that this browser can draw. */
async function pictureOf(file: File): Promise<Picture | null> {
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
