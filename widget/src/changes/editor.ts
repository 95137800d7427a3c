import { isComposing } from 'browser/isComposing';
import { MESSAGE_MAX_LENGTH, type Message } from 'server/contract';
import type { PartContext } from '../chat/context.ts';
import { el, icon } from '../chat/dom-helpers.ts';

const TICK = 'M6 12.5l4 4 8.5-9';

/** Why a change failed: in the visitor's language where the widget has a text, else the server's text. */
export type Explain = (answer: { code: string; message: string } | undefined) => string;

const keyOf = ({ _id }: Message) => `draft:edit:${_id}` as const;

/** Corrects a message in place of the composer, which keeps its draft. The correction is a draft of its own. */
export function createEditor(context: PartContext, explain: Explain) {
  const { host, panel, signal, storage, store, texts } = context;
  const { composer } = panel;
  const limit = `${MESSAGE_MAX_LENGTH}`;
  const input = el('textarea', '', { rows: '1', dir: 'auto', maxlength: limit, 'aria-label': texts.editing });
  const save = el('button', 'tool send', { 'aria-label': texts.save }, icon(TICK));
  const cancel = el('button', 'link', { type: 'button' }, texts.cancel);
  const fault = el('div', 'notice fault', { role: 'alert' });
  const title = el('div', 'title-row', {}, el('span', '', {}, texts.editing), cancel);
  const node = el('form', 'composer editor', {}, title, fault, el('div', 'field', {}, input, save));
  let edited: Message | null = null;
  let isResumed = false;

  function fit(): void {
    save.disabled = input.readOnly || !input.value.trim();
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  /** What is being saved cannot be changed. */
  function hold(isHeld: boolean): void {
    input.readOnly = isHeld;
    fit();
  }

  /** Begins to correct a message, or goes on with it. */
  function edit(message: Message, takesFocus = true): void {
    edited = message;
    fault.textContent = '';
    input.value = storage.read(keyOf(message)) || message.text;
    storage.write(keyOf(message), input.value);
    composer.node.after(node);
    panel.node.classList.add('editing');
    hold(false);
    if (takesFocus) input.focus({ preventScroll: true });
  }

  /** Saved or discarded, here or in another tab, or the visitor is another one. */
  function end(): void {
    if (!edited) return;
    const key = keyOf(edited);
    edited = null;
    storage.write(key, '');
    panel.node.classList.remove('editing');
    composer.fit();
    // Before the field goes, so that a phone keeps its keyboard.
    if (node.contains(host.root.activeElement)) composer.focus();
    node.remove();
  }

  async function send(message: Message): Promise<void> {
    const content = input.value.trim();
    if (!content || input.readOnly) return;
    if (content === message.text) return end();
    fault.textContent = '';
    hold(true);
    const { chatId, _id: messageId } = message;
    const answer = await context.live?.request('edit_message', { chatId, messageId, content });
    if (edited !== message) return;
    hold(false);
    if (answer?.ok) end();
    else fault.textContent = explain(answer);
  }

  /** Another tab has typed in the field, or has ended the correction. An empty field may go on here. */
  function follow(text: string): void {
    if (!text && input.value) end();
    else if (text !== input.value) input.value = text;
    fit();
  }

  cancel.addEventListener('click', end);
  input.addEventListener('input', () => edited && storage.write(keyOf(edited), input.value));
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
  storage.watch((key) => {
    if (key === 'token') end();
    else if (edited && key === keyOf(edited)) follow(storage.read(key as 'draft'));
  }, signal);

  return {
    edit,
    /** Goes on with a correction of an earlier page, unless the visitor writes in the composer. */
    resume(): void {
      const begun = isResumed ? undefined : store.state.messages.find((message) => storage.read(keyOf(message)));
      if (!begun) return;
      isResumed = true;
      if (!edited && !composer.input.value) edit(begun, host.root.activeElement === composer.input);
    },
  };
}
