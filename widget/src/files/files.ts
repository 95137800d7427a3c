import { uuid } from 'browser/uuid';
import {
  type Attachment,
  FILE_MAX_BYTES,
  FILE_NAME_MAX_LENGTH,
  type Message,
  PICTURE_TYPES,
  type Success,
  type VisitorChat,
} from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { format } from '../chat/language.ts';
import { retryFailed, textsSent } from '../chat/outbox.ts';
import type { Upload } from '../chat/state.ts';
import { fileIcon } from '../chat/view/icons.ts';
import type { Row } from '../chat/view/rows.ts';
import css from './files.css';

const MEGABYTE = 1024 * 1024;
/** Codes of failures that the row itself explains. */
const SAID_BY_ROW = /^(BLOCKED|FILE)$/;

/** Long enough for ten megabytes over a slow phone connection. */
const UPLOAD_TIMEOUT_MS = 10 * 60_000;
/** How often it is checked whether there is a session. */
const SESSION_POLL_MS = 200;

/** Characters that end a web address. Direction marks are among them: they could make an address look like another. */
const END = '\\s<>"()\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const PAIR = `\\([^${END}]*\\)`;
/** A web address, without the punctuation of the sentence around it, but with pairs of brackets. */
const LINK = new RegExp(`\\b(?:https?://|www\\.)(?:${PAIR}|[^${END}])*(?:${PAIR}|[^${END}.,;:!?'*\\]}])`, 'gi');

/** The largest size of a picture in the conversation, in CSS pixels. */
const PICTURE_WIDTH = 240;
const PICTURE_HEIGHT = 280;
const KILOBYTE = 1_024;
const UNITS = ['byte', 'kilobyte', 'megabyte'] as const;

type Answer = Success<{ message: Message; chat: VisitorChat }> | { success: false; code: string; message: string };

/** Sends files one after another. They are kept in memory only: the browser's storage is too small for them. */
export function start(context: PartContext) {
  const { host, language, panel, store, storage, signal, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  /** The requests under way by `clientId`. Aborting one makes `deliver` go on with the next file. */
  const requests = new Map<string, XMLHttpRequest>();
  let last: Promise<void> = Promise.resolve();

  function put(upload: Upload): void {
    const others = store.state.uploads.filter(({ clientId }) => clientId !== upload.clientId);
    store.set({ uploads: [...others, upload] });
  }

  /** Removes a message that is not stored; an upload that is under way is cancelled. */
  function remove(clientId: string): void {
    storage.drop(clientId);
    requests.get(clientId)?.abort();
    store.set({ uploads: store.state.uploads.filter((upload) => upload.clientId !== clientId) });
  }

  /** Why a file cannot be sent. */
  function faultOf({ size }: File): Pick<Upload, 'failed'> {
    const tooBig = size > FILE_MAX_BYTES && format(texts.tooBig, FILE_MAX_BYTES / MEGABYTE, language.locale);
    const message = tooBig || (size ? '' : texts.noEmpty);
    return message ? { failed: { code: 'FILE', message } } : {};
  }

  /** On a slow connection, a file may be chosen before there is a session. */
  async function waitForSession(): Promise<void> {
    while (!storage.read('token') && !signal.aborted) await new Promise((look) => setTimeout(look, SESSION_POLL_MS));
  }

  function isKnown({ clientId }: Upload): boolean {
    return store.state.uploads.some((upload) => upload.clientId === clientId);
  }

  async function deliver(upload: Upload): Promise<void> {
    const isOver = () => signal.aborted || !isKnown(upload);
    await waitForSession();
    await textsSent(storage, upload.at, isOver);
    if (isOver()) return;
    const answer = await post(upload).catch(
      () => ({ success: false, code: 'OFFLINE', message: texts.failed }) as const,
    );
    if (isOver()) return;
    if (answer.success) {
      await context.live?.takeSent(answer.data.message, answer.data.chat).finally(() => remove(upload.clientId));
    } else {
      put({ ...upload, failed: { code: answer.code, message: answer.message } });
      host.emit('error', { code: answer.code, message: answer.message });
    }
  }

  /** With XMLHttpRequest, since `fetch` tells no progress. Rejects where no answer came. */
  function post({ clientId, content, file, bar }: Upload): Promise<Answer> {
    const { begins, greeting } = store.state;
    const query = new URLSearchParams({
      clientId,
      name: content,
      ...(greeting && { greeting: greeting.id }),
      ...(begins?.department && { department: begins.department }),
    });
    const request = new XMLHttpRequest();
    requests.set(clientId, request);
    return new Promise<Answer>((resolve, reject) => {
      request.upload.onprogress = ({ loaded }) => showProgress(bar, loaded / file.size, language.locale);
      request.onload = () => request.response && resolve(request.response);
      request.onloadend = reject;
      request.open('POST', `${host.api}/files?${query}`);
      request.responseType = 'json';
      request.timeout = UPLOAD_TIMEOUT_MS;
      request.setRequestHeader('Authorization', `Bearer ${storage.read('token')}`);
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.send(file);
    }).finally(() => requests.delete(clientId));
  }

  function drawBar(clientId: string, name: string): HTMLElement {
    const cancel = el('button', 'link', { 'aria-label': `${texts.cancel}: ${name}` }, texts.cancel);
    cancel.addEventListener('click', () => {
      remove(clientId);
      panel.composer.focus();
    });
    const bar = el('div', 'bar', {}, el('progress', '', { 'aria-label': name }), el('span', ''), cancel);
    showProgress(bar, 0, language.locale);
    return bar;
  }

  function queue(upload: Upload): void {
    put(upload);
    if (!upload.failed) last = last.then(() => deliver(upload)).catch(console.error);
  }

  function send(files: readonly File[]): void {
    for (const file of files) {
      const clientId = uuid();
      queue({
        clientId,
        content: file.name.slice(-FILE_NAME_MAX_LENGTH),
        at: Date.now(),
        file,
        bar: drawBar(clientId, file.name),
        ...faultOf(file),
      });
    }
  }

  /** Sends a failed message or file again. */
  function retry(clientId: string): void {
    const upload = store.state.uploads.find((known) => known.clientId === clientId);
    if (!upload) retryFailed(storage, clientId);
    if (!upload) return;
    const { failed: _, ...again } = upload;
    showProgress(upload.bar, 0, language.locale);
    queue({ ...again, at: Date.now(), ...faultOf(upload.file) });
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
    async show(text: HTMLElement, { message, text: words }: Row): Promise<void> {
      const { file, event, editedAt, deletedAt, formatted, sources } = message ?? {};
      const mark = (label: string) => el('i', '', {}, label);
      if (file) text.replaceChildren(attachment(file, host.origin, language.locale));
      else if (deletedAt) text.replaceChildren(mark(texts.deleted));
      // The sentence of a hand-over comes in the visitor's language.
      else if (event) text.textContent = texts[event as 'closed'] ?? message?.text;
      else {
        const name = sources ? 'assistant' : formatted && 'formatting';
        const part = name && (await context.loadPart(name).catch(() => null));
        const nodes = part ? await part.formatted(context, message as Message) : linkify(words);
        text.replaceChildren(...nodes, ...(editedAt ? [mark(texts.edited)] : []));
      }
    },
    explain(actions: HTMLElement, { key, can }: Row): void {
      const button = (label: string, run: (clientId: string) => void) => {
        const node = el('button', 'link', {}, label);
        node.addEventListener('click', () => run(key));
        return node;
      };
      const { pending, uploads } = store.state;
      const { code = '', message = '' } =
        [...pending, ...uploads].find(({ clientId }) => clientId === key)?.failed ?? {};
      // The words of the server are English.
      const words = language.name === 'en' && !SAID_BY_ROW.test(code) ? message : '';
      const reason = code === 'EXPIRED' ? texts.expired : words;
      if (reason) actions.append(el('span', 'why', {}, reason));
      if (can === 'retry') actions.append(button(texts.retry, retry));
      actions.append(button(texts.remove, remove));
    },
  };
}

/** The elements are changed in place: a redrawn conversation would be read out again. */
function showProgress(bar: HTMLElement, share: number, locale: string): void {
  const percent = share.toLocaleString(locale, { style: 'percent' });
  (bar.firstChild as HTMLProgressElement).value = share;
  bar.children[1]?.replaceChildren(percent);
}

/** A file in the conversation: a picture whose space is reserved before it loads, or a link with name and size. */
export function attachment({ url, name, size, mime, width, height }: Attachment, origin: string, locale: string): Node {
  const link = el('a', 'file', { href: origin + url, target: '_blank', rel: 'noopener' });
  if (width && height && PICTURE_TYPES.includes(mime)) {
    const scale = Math.min(1, PICTURE_WIDTH / width, PICTURE_HEIGHT / height);
    const room = { width: `${Math.round(width * scale)}`, height: `${Math.round(height * scale)}` };
    link.append(el('img', '', { src: origin + url, alt: name, loading: 'lazy', ...room }));
  } else {
    link.append(fileIcon(), el('span', 'name', {}, name), ' ', el('span', 'size', {}, sizeText(size, locale)));
  }
  return link;
}

/** A file's size as `192 bytes`, `25 kB` or `9.4 MB`, with 1,024 bytes in a kB, as in the dashboard and the server's limits. */
function sizeText(bytes: number, locale: string): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const digits = step === 2 ? 1 : 0;
  const options = { style: 'unit', unit: UNITS[step] ?? 'byte', unitDisplay: step ? 'short' : 'long' } as const;
  return (bytes / KILOBYTE ** step).toLocaleString(locale, { ...options, maximumFractionDigits: digits });
}

/** Turns web addresses in a text into links; everything else stays text. */
function linkify(text: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const { 0: found, index = 0 } of text.matchAll(LINK)) {
    const href = /^h/i.test(found) ? found : `https://${found}`;
    parts.push(text.slice(end, index), el('a', '', { href, dir: 'ltr', target: '_blank', rel: 'noopener' }, found));
    end = index + found.length;
  }
  parts.push(text.slice(end));
  return parts;
}
