import {
  type Attachment,
  FILE_MAX_BYTES,
  FILE_NAME_MAX_LENGTH,
  type Message,
  type Success,
  type VisitorChat,
} from 'server/contract';
import type { Workplace } from '../chat/desk.ts';
import { addStyles, useKit } from '../chat/kit.ts';
import type { Upload } from '../chat/state.ts';
import { uuid } from '../chat/uuid.ts';
import { fill } from '../chat/words.ts';
import { attachment } from './attachment.ts';
import css from './files.css';

const MEGABYTE = 1024 * 1024;
/** A file of ten megabytes over a slow phone line takes its time. */
const PATIENCE_MS = 10 * 60_000;
/** How often it is looked whether there is a session by now. */
const LOOK_MS = 200;

type Answer = Success<{ message: Message; chat: VisitorChat }> | { success: false; code: string; message: string };

/** Sends files one after another. They are kept for this page view only: no browser storage is meant for them. */
export function start(work: Workplace) {
  const { frame, language, panel, store, storage, signal, words } = work;
  useKit(frame.kit);
  addStyles(frame.root, css);
  let last: Promise<void> = Promise.resolve();

  function put(upload: Upload): void {
    const others = store.state.uploads.filter(({ clientId }) => clientId !== upload.clientId);
    store.set({ uploads: [...others, upload] });
  }

  function remove(clientId: string): void {
    store.set({ uploads: store.state.uploads.filter((upload) => upload.clientId !== clientId) });
  }

  function refuse({ size }: File): string {
    if (size > FILE_MAX_BYTES) return fill(words.tooBig, FILE_MAX_BYTES / MEGABYTE);
    return size ? '' : words.noEmpty;
  }

  /** On a slow line, a file may have been chosen before the visitor's session is there. */
  async function haveSession(): Promise<void> {
    while (!storage.read('token') && !signal.aborted) await new Promise((look) => setTimeout(look, LOOK_MS));
  }

  async function deliver(upload: Upload): Promise<void> {
    await haveSession();
    const answer = await post(upload).catch(
      () => ({ success: false, code: 'OFFLINE', message: words.failed }) as const,
    );
    if (signal.aborted) return;
    if (answer.success) {
      await work.live?.takeSent(answer.data.message, answer.data.chat).finally(() => remove(upload.clientId));
    } else {
      put({ ...upload, failed: { code: answer.code, message: answer.message } });
      frame.emit('error', { code: answer.code, message: answer.message });
    }
  }

  async function post({ clientId, content, file }: Upload): Promise<Answer> {
    const query = new URLSearchParams({ clientId, name: content });
    const response = await fetch(`${frame.api}/files?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${storage.read('token')}`, 'Content-Type': 'application/octet-stream' },
      body: file,
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return response.json();
  }

  function queue(upload: Upload): void {
    put(upload);
    if (!upload.failed) last = last.then(() => deliver(upload)).catch(console.error);
  }

  function send(files: readonly File[]): void {
    for (const file of files) {
      const fault = refuse(file);
      queue({
        clientId: uuid(),
        content: file.name.slice(-FILE_NAME_MAX_LENGTH),
        at: Date.now(),
        file,
        ...(fault && { failed: { code: 'FILE', message: fault } }),
      });
    }
  }

  panel.node.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  });
  panel.node.addEventListener('drop', (event) => {
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length) event.preventDefault();
    send(dropped);
  });

  return {
    send,
    show: (file: Attachment) => attachment(file, frame.origin, language.locale),
    retry(clientId: string): void {
      const upload = store.state.uploads.find((known) => known.clientId === clientId);
      if (!upload) return;
      const { failed: _, ...again } = upload;
      const fault = refuse(upload.file);
      queue({ ...again, at: Date.now(), ...(fault && { failed: { code: 'FILE', message: fault } }) });
    },
    remove,
  };
}
