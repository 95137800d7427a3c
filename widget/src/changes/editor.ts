import { isComposing } from 'browser/isComposing';
import { MESSAGE_MAX_LENGTH, type Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el, icon } from '../chat/dom-helpers.ts';

const TICK = 'M6 12.5l4 4 8.5-9';

/** Why a change failed: in the visitor's language where the widget has a text, else the server's text. */
export type Explain = (answer: { code: string; message: string } | undefined) => string;

/** Corrects a message in place of the composer, which keeps its draft. @returns a function that begins to correct one */
export function createEditor(context: PartContext, explain: Explain): (message: Message) => void {
  const { panel, texts } = context;
  const { composer } = panel;
  const limit = `${MESSAGE_MAX_LENGTH}`;
  const input = el('textarea', '', { rows: '1', dir: 'auto', maxlength: limit, 'aria-label': texts.editing });
  const save = el('button', 'tool send', { 'aria-label': texts.save }, icon(TICK));
  const cancel = el('button', 'link', { type: 'button' }, texts.cancel);
  const fault = el('div', 'notice fault', { role: 'alert' });
  const title = el('div', 'title-row', {}, el('span', '', {}, texts.editing), cancel);
  const node = el('form', 'composer editor', {}, title, fault, el('div', 'field', {}, input, save));
  let edited: Message | null = null;

  function fit(): void {
    save.disabled = !input.value.trim();
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  function end(): void {
    edited = null;
    node.remove();
    panel.node.classList.remove('editing');
    composer.fit();
    composer.focus();
  }

  async function send(message: Message): Promise<void> {
    const content = input.value.trim();
    if (!content) return;
    if (content === message.text) return end();
    fault.textContent = '';
    const { chatId, _id: messageId } = message;
    const answer = await context.live?.request('edit_message', { chatId, messageId, content });
    if (edited !== message) return;
    if (answer?.ok) end();
    else fault.textContent = explain(answer);
  }

  cancel.addEventListener('click', end);
  input.addEventListener('input', fit);
  node.addEventListener('submit', (event) => {
    event.preventDefault();
    if (edited) void send(edited);
  });
  node.addEventListener('keydown', (event) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      end();
    } else if (event.key === 'Enter' && !event.shiftKey && event.target === input) {
      event.preventDefault();
      node.requestSubmit();
    }
  });

  return (message) => {
    edited = message;
    fault.textContent = '';
    input.value = message.text;
    composer.node.after(node);
    panel.node.classList.add('editing');
    fit();
    input.focus({ preventScroll: true });
  };
}
