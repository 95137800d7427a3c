import { MESSAGE_MAX_LENGTH } from 'server/contract';
import { el } from '../../dom.ts';
import { words } from '../words.ts';
import { sendIcon } from './icons.ts';

/** So near to the limit the composer says how much is left. */
const LEFT_SHOWN = 200;

export interface Composer {
  node: HTMLElement;
  focus(): void;
  /** Gives the text its height: a hidden one cannot be measured. */
  fit(): void;
}

/** Where the visitor writes: grows with the text, sends by Enter, refuses blank and over-long. */
export function createComposer(
  draft: string,
  onDraft: (text: string) => void,
  onSend: (text: string) => void,
): Composer {
  const input = el('textarea', { rows: '1', dir: 'auto', placeholder: words.write, 'aria-label': words.write });
  const button = el('button', { class: 'send', type: 'submit', 'aria-label': words.send }, sendIcon());
  const notice = el('div', { class: 'notice', role: 'status' });
  const node = el('form', { class: 'composer' }, notice, el('div', { class: 'field' }, input, button));
  input.value = draft;

  function fit(): void {
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  function check(): void {
    const { length } = input.value.trim();
    const left = MESSAGE_MAX_LENGTH - length;
    button.disabled = !length || left < 0;
    notice.hidden = left > LEFT_SHOWN;
    notice.classList.toggle('over', left < 0);
    input.setAttribute('aria-invalid', `${left < 0}`);
    notice.textContent =
      left < 0
        ? words.tooLong(length.toLocaleString(), MESSAGE_MAX_LENGTH.toLocaleString())
        : notice.hidden
          ? ''
          : words.left(left);
  }

  function change(): void {
    onDraft(input.value);
    check();
    fit();
  }

  function send(): void {
    if (button.disabled) return;
    const text = input.value.trim();
    input.value = '';
    change();
    onSend(text);
  }

  node.addEventListener('submit', (event) => {
    event.preventDefault();
    send();
    input.focus();
  });
  input.addEventListener('input', change);
  input.addEventListener('keydown', (event) => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  check();

  return { node, focus: () => input.focus({ preventScroll: true }), fit };
}
