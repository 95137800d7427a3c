import { EMAIL_MAX_LENGTH } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el } from '../chat/dom-helpers.ts';
import { bindDraft } from '../chat/draft.ts';
import { call } from '../http.ts';

const DRAFT = 'draft:transcript';

/** Asks for the visitor's address, and asks the server to mail a copy of the chat to it. */
export function createTranscript(context: PartContext) {
  const { host, language, panel, store, storage, texts } = context;
  const input = el('input', 'entry', { type: 'email', required: '', autocomplete: 'email' });
  const cancel = el('button', 'link', { type: 'button' }, texts.notNow);
  const actions = el('div', 'actions', {}, el('button', 'primary', {}, texts.transcript), cancel);
  const card = el('form', 'card whole', {}, el('label', '', {}, texts.email, input), actions);
  let chat = '';
  input.maxLength = EMAIL_MAX_LENGTH;
  bindDraft(context, DRAFT, input);

  function close(): void {
    if (card.contains(host.root.activeElement)) panel.composer.focus();
    card.remove();
    storage.write(DRAFT, '');
  }

  async function send(chatId: string, email: string): Promise<void> {
    input.readOnly = true;
    const reply = await call(`${host.api}/transcript`, { chatId, email }, storage.read('token'));
    input.readOnly = false;
    panel.composer.say(reply.ok ? texts.transcriptSent : (language.name === 'en' && reply.message) || texts.failed);
    if (!reply.ok) return;
    close();
    // The server has saved it as the visitor's address.
    storage.write('met', 'mail');
    store.set({ email });
  }

  cancel.addEventListener('click', close);
  card.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(chat, input.value.trim());
  });

  return {
    open(chatId: string): void {
      chat = chatId;
      input.value ||= store.state.email;
      panel.composer.node.before(card);
      input.focus();
    },
  };
}
