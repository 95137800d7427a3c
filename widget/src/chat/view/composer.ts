import { MESSAGE_MAX_LENGTH } from 'server/contract';
import type { BaseContext, Composer, StartPart } from '../context.ts';
import { el } from '../dom-helpers.ts';
import { format, texts } from '../language.ts';
import { emojiIcon, fileIcon, sendIcon } from './icons.ts';

/** Whether a key press belongs to an input method. Safari ends the composition before the key press that ended it, which has code 229. */
export function isComposing({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

/** The composer: its field grows with the text, Enter sends, and blank or over-long texts cannot be sent. */
export function createComposer(context: BaseContext, startPart: StartPart): Composer {
  const { store, storage, outbox } = context;
  const input = el('textarea', '', { rows: '1', placeholder: texts.write, 'aria-label': texts.write });
  const emoji = el('button', 'tool', { type: 'button', 'aria-label': texts.emoji }, emojiIcon());
  const attach = el('button', 'tool', { type: 'button', 'aria-label': texts.attach }, fileIcon());
  const button = el('button', 'tool send', { 'aria-label': texts.send }, sendIcon());
  const chooser = el('input', '', { type: 'file', multiple: '', hidden: '', tabindex: '-1' });
  const notice = el('div', 'notice', { role: 'status' });
  const field = el('div', 'field', {}, input, emoji, attach, button);
  const node = el('form', 'composer', {}, notice, field, chooser);
  let said = '';
  input.value = storage.read('draft');

  function fit(): void {
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  function check(): void {
    const { length } = input.value.trim();
    const over = length - MESSAGE_MAX_LENGTH;
    const { blocked } = store.state;
    button.disabled = !length || over > 0 || blocked;
    emoji.hidden = attach.hidden = blocked;
    const fault = blocked ? texts.blocked : over > 0 && format(texts.tooLong, over);
    notice.className = fault ? 'notice fault' : 'notice';
    if (notice.textContent !== (fault || said)) notice.textContent = fault || said;
    // `auto` makes an empty field left-to-right; empty, it follows the language of its placeholder.
    input.dir = length ? 'auto' : '';
  }

  function change(): void {
    storage.write('draft', input.value);
    context.live?.reportTyping(input.value !== '');
    check();
    fit();
  }

  function prefill(text: string): void {
    input.value = text;
    change();
  }

  function send(): void {
    if (button.disabled) return;
    const text = input.value.trim();
    said = '';
    prefill('');
    outbox.add(text);
  }

  async function sendFiles(files: readonly File[]): Promise<void> {
    if (files.length) (await startPart('files'))?.send(files);
  }

  node.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
    input.focus();
  });
  input.addEventListener('input', change);
  input.addEventListener('keydown', (event) => {
    // With an input method, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  });
  input.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length) event.preventDefault();
    void sendFiles(files);
  });
  emoji.addEventListener('click', async () => (await startPart('emoji'))?.toggle(emoji));
  attach.addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    void sendFiles([...(chooser.files ?? [])]);
    chooser.value = '';
  });
  check();

  return {
    node,
    input,
    changed: change,
    focus: () => input.focus({ preventScroll: true }),
    fit,
    prefill,
    say(text) {
      said = text;
      check();
    },
    render: check,
  };
}
