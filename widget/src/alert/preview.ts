import type { Message } from 'server/contract';
import type { Desk } from '../chat/desk.ts';
import { addStyles, el, useKit } from '../chat/kit.ts';
import type { MoreWords } from '../languages/more.ts';
import css from './preview.css';

let styled: AbortSignal | null = null;
let shown: HTMLElement | null = null;

/** Shows the newest answer above the launcher while the panel is closed; a click opens the chat. */
export function showPreview({ senderName, content }: Message, { frame, panel, signal }: Desk, words: MoreWords): void {
  shown?.remove();
  if (!panel.node.hidden || frame.button.hidden) return;
  useKit(frame.kit);
  if (styled !== signal) addStyles(frame.root, css);
  styled = signal;
  const text = el(
    'button',
    'words',
    {},
    el('b', '', { dir: 'auto' }, senderName ?? ''),
    el('span', '', { dir: 'auto' }, content),
  );
  const shut = el('button', 'shut', { 'aria-label': words.notNow }, '×');
  const node = el('div', 'preview', { role: 'status' }, text, shut);
  const remove = () => node.remove();
  text.addEventListener('click', () => frame.open(true));
  shut.addEventListener('click', remove);
  // The panel has all of it.
  const opened = new MutationObserver(() => panel.node.hidden || remove());
  opened.observe(panel.node, { attributeFilter: ['hidden'] });
  signal.addEventListener('abort', remove);
  frame.button.before(node);
  shown = node;
}
