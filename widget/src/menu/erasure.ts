import type { PartContext } from '../chat/context.ts';
import { el, useDomHelpers } from '../chat/dom-helpers.ts';
import { call } from '../http.ts';

/** @returns a function that asks the visitor, and after a yes deletes what the server and this browser have about them */
export function start({ host, language, panel, storage, signal, forget, texts }: PartContext): () => void {
  useDomHelpers(host.dom);
  const erase = el('button', 'primary', {}, texts.remove);
  const cancel = el('button', 'link', {}, texts.cancel);
  const fault = el('p', 'fault', { role: 'alert' });
  const card = el(
    'div',
    'card whole',
    { role: 'alertdialog', tabindex: '-1', 'aria-label': texts.erase, 'aria-describedby': 'ask' },
    el('p', '', { id: 'ask' }, texts.eraseAsk),
    fault,
    el('div', 'actions', {}, erase, cancel),
  );
  let before: Element | null = null;
  let isBusy = false;

  function close(): void {
    // The request is under way and cannot be cancelled.
    if (isBusy) return;
    card.remove();
    (before as HTMLElement | null)?.focus();
  }

  async function send(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    fault.textContent = '';
    const reply = await call(`${host.api}/me`, undefined, storage.read('token'), 'DELETE');
    isBusy = false;
    // The socket's event may have come first and restarted the chat: what is stored now belongs to a new visitor.
    if (signal.aborted) return;
    // An unknown token means that it is deleted already, as after an answer that was lost.
    if (reply.ok || reply.code === 'UNAUTHORIZED') forget();
    else fault.textContent = (language.name === 'en' && reply.message) || texts.failed;
  }

  erase.addEventListener('click', send);
  cancel.addEventListener('click', close);
  card.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  });

  return () => {
    before = host.root.activeElement;
    fault.textContent = '';
    panel.composer.node.before(card);
    card.focus();
  };
}
