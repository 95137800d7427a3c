import { EMAIL_MAX_LENGTH } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el } from '../chat/dom-helpers.ts';
import { call } from '../http.ts';

/** Asks for the visitor's address, and asks the server to mail a copy of the chat to it. */
export function createTranscript({ host, language, panel, store, storage, texts }: PartContext) {
  let card: HTMLElement | null = null;

  async function send(chatId: string, email: string): Promise<void> {
    const reply = await call(`${host.api}/transcript`, { chatId, email }, storage.read('token'));
    panel.composer.say(reply.ok ? texts.transcriptSent : (language.name === 'en' && reply.message) || texts.failed);
    if (!reply.ok) return;
    card?.remove();
    // The server has saved it as the visitor's address.
    storage.write('met', 'mail');
    store.set({ email });
  }

  return {
    open(chatId: string): void {
      card?.remove();
      const input = el('input', 'entry', { type: 'email', required: '', autocomplete: 'email' });
      input.maxLength = EMAIL_MAX_LENGTH;
      input.value = store.state.email;
      const cancel = el('button', 'link', { type: 'button' }, texts.notNow);
      const actions = el('div', 'actions', {}, el('button', 'primary', {}, texts.transcript), cancel);
      const form = el('form', 'card whole', {}, el('label', '', {}, texts.email, input), actions);
      cancel.addEventListener('click', () => form.remove());
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void send(chatId, input.value.trim());
      });
      card = form;
      panel.composer.node.before(form);
      input.focus();
    },
  };
}
