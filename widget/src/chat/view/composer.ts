import { MESSAGE_MAX_LENGTH } from 'server/contract';
import { el } from '../kit.ts';
import type { Outbox } from '../outbox.ts';
import type { Storage } from '../storage.ts';
import { words } from '../words.ts';
import { sendIcon } from './icons.ts';

export interface Composer {
  node: HTMLElement;
  focus(): void;
  /** Gives the text its height: a hidden one cannot be measured. */
  fit(): void;
}

/** Where the visitor writes: grows with the text, sends by Enter, refuses blank and over-long. */
export function createComposer(storage: Storage, outbox: Outbox): Composer {
  const input = el('textarea', '', { rows: '1', dir: 'auto', placeholder: words.write, 'aria-label': words.write });
  const button = el('button', 'send', { 'aria-label': words.send }, sendIcon());
  const notice = el('div', 'notice', { role: 'status' });
  const node = el('form', 'composer', {}, notice, el('div', 'field', {}, input, button));
  input.value = storage.read('draft');

  function fit(): void {
    input.style.height = 'auto';
    input.style.height = `${input.scrollHeight}px`;
  }

  function check(): void {
    const { length } = input.value.trim();
    const over = length - MESSAGE_MAX_LENGTH;
    button.disabled = !length || over > 0;
    notice.textContent = over > 0 ? words.tooLong(over) : '';
  }

  function change(): void {
    storage.write('draft', input.value);
    check();
    fit();
  }

  function send(): void {
    if (button.disabled) return;
    const text = input.value.trim();
    input.value = '';
    change();
    outbox.add(text);
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
