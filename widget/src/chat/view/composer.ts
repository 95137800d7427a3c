import { isComposing } from 'browser/isComposing';
import { MESSAGE_MAX_LENGTH } from 'server/contract';
import type { BaseContext, Composer, StartPart } from '../context.ts';
import { el } from '../dom-helpers.ts';
import { bindDraft } from '../draft.ts';
import { texts } from '../language.ts';
import { queueMessage } from '../outbox.ts';
import { emojiIcon, fileIcon, sendIcon } from './icons.ts';

/**
 * The composer: its field grows with the text, Enter sends, and blank or over-long texts cannot be sent. Its text is a draft, which
 * all tabs have, and one of them sends.
 */
export function createComposer(context: BaseContext, startPart: StartPart): Composer {
  const { host, language, storage, store } = context;
  const input = el('textarea', '', { rows: '1', placeholder: texts.write, 'aria-label': texts.write });
  const emoji = el('button', 'tool', { type: 'button', 'aria-label': texts.emoji }, emojiIcon());
  const attach = el('button', 'tool', { type: 'button', 'aria-label': texts.attach }, fileIcon());
  const button = el('button', 'tool send', { 'aria-label': texts.send }, sendIcon());
  const chooser = el('input', '', { type: 'file', multiple: '', hidden: '', tabindex: '-1' });
  const notice = el('div', 'notice', { role: 'status' });
  const field = el('div', 'field', {}, input, emoji, attach, button);
  const node = el('form', 'composer', {}, notice, field, chooser);
  let said = '';
  let again: (() => void) | undefined;

  function fit(): void {
    check();
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  function check(): void {
    const { length } = input.value.trim();
    const isOver = length > MESSAGE_MAX_LENGTH;
    const { blocked } = store.state;
    button.disabled = !length || isOver || blocked;
    emoji.hidden = blocked;
    attach.hidden = blocked || !!composer.ask;
    const fault = blocked
      ? texts.blocked
      : isOver && [length, MESSAGE_MAX_LENGTH].map((count) => count.toLocaleString(language.locale)).join(' / ');
    notice.className = fault ? 'notice fault' : 'notice';
    const shown = fault || said;
    if (notice.textContent !== shown)
      notice.replaceChildren(again ? el('button', 'link', { type: 'button' }, shown) : shown);
    // `auto` makes an empty field left-to-right; empty, it follows the language of its placeholder.
    input.dir = length ? 'auto' : '';
  }

  function send(): void {
    if (button.disabled) return;
    say('');
    const from = composer.ask?.();
    if (from === null) return;
    const { value } = input;
    // Without a draft, another tab has sent it, or the page has cleared the browser's storage.
    const text = storage.take('draft') || (value === storage.read('draft:sent') ? '' : value);
    storage.write('draft:sent', value);
    input.value = '';
    context.live?.reportTyping('');
    queueMessage(storage, text, { from });
    fit();
  }

  function say(text: string, retry?: () => void): void {
    said = text;
    again = retry;
    check();
  }

  function sendFiles(files: readonly File[]): void {
    if (files.length) void startPart('files', (part) => part.send(files));
  }

  node.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
    input.focus();
  });
  input.addEventListener('input', () => context.live?.reportTyping(input.value));
  input.addEventListener('keydown', (event) => {
    // With an input method, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return;
    event.preventDefault();
    send();
  });
  input.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length) event.preventDefault();
    sendFiles(files);
  });
  notice.addEventListener('click', () => again?.());
  emoji.addEventListener('click', () => startPart('emoji', (part) => part.toggle(emoji)));
  attach.addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    sendFiles([...(chooser.files ?? [])]);
    chooser.value = '';
  });

  const composer: Composer = {
    node,
    input,
    ask: null,
    focus() {
      if (!node.hidden) input.focus({ preventScroll: true });
    },
    fit,
    isInUse: () => input.value !== '' || host.root.activeElement === input,
    send,
    say,
    render: check,
  };
  bindDraft(context, 'draft', input, fit);
  return composer;
}
