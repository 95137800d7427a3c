import { el } from '../../dom.ts';
import { words } from '../words.ts';
import { downIcon, progressIcon } from './icons.ts';
import { withLinks } from './links.ts';
import type { Row } from './rows.ts';
import { clock, moment } from './times.ts';

/** Nearer to the end than this many pixels counts as being there. */
const NEAR_PX = 48;

export interface LogHandlers {
  onRetry(clientId: string): void;
  onRemove(clientId: string): void;
  /** The reader came to the newest message. */
  onEnd(): void;
}

/** The conversation, scrolled to its newest message unless the reader looks at earlier ones. */
export interface Log {
  node: HTMLElement;
  draw(rows: readonly Row[]): void;
  toEnd(): void;
  isAtEnd(): boolean;
}

/** A row on screen. It is changed in place, so that a screen reader hears each message once. */
interface Drawn {
  node: HTMLElement;
  author: HTMLElement;
  foot: HTMLElement;
  signature: string;
}

export function createLog(handlers: LogHandlers): Log {
  const drawn = new Map<string, Drawn>();
  const list = el('div', {
    class: 'list',
    role: 'log',
    'aria-label': words.conversation,
    'aria-relevant': 'additions',
  });
  const scroller = el(
    'div',
    { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': words.conversation },
    list,
  );
  const latest = el('button', { class: 'latest', type: 'button' }, downIcon(), words.latest);
  const node = el('div', { class: 'thread' }, scroller, latest);
  latest.hidden = true;
  let atEnd = true;

  function toEnd(): void {
    scroller.scrollTop = scroller.scrollHeight;
    atEnd = true;
    latest.hidden = true;
  }

  scroller.addEventListener('scroll', () => {
    // A closed panel has no height, and would look like the end of an empty thread.
    if (!scroller.clientHeight) return;
    const was = atEnd;
    atEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_PX;
    if (!atEnd || was) return;
    latest.hidden = true;
    handlers.onEnd();
  });
  latest.addEventListener('click', () => {
    toEnd();
    handlers.onEnd();
  });
  // The phone's keyboard and a growing composer take from the thread's height.
  if (typeof ResizeObserver === 'function') new ResizeObserver(() => atEnd && toEnd()).observe(scroller);

  function draw(rows: readonly Row[]): void {
    const keys = new Set(rows.map(({ key }) => key));
    for (const [key, { node }] of drawn) {
      if (keys.has(key)) continue;
      node.remove();
      drawn.delete(key);
    }
    let place = list.firstChild;
    let newest: Row | undefined;
    for (const row of rows) {
      const known = drawn.get(row.key);
      if (!known) newest = row;
      const { node } = known ? update(known, row) : make(row);
      if (node === place) place = place.nextSibling;
      else list.insertBefore(node, place);
    }
    if (!newest) return;
    if (atEnd || newest.mine) toEnd();
    else latest.hidden = false;
  }

  function make(row: Row): Drawn {
    const author = el('div', { class: 'author', dir: 'auto' });
    const foot = el('div', { class: 'foot', 'aria-live': 'off' });
    const text = el('div', { class: 'text', dir: 'auto' }, ...withLinks(row.text));
    if (row.at && row.kind === 'bubble') text.title = moment(row.at);
    const node = el('div', {}, author, text, foot);
    const made = { node, author, foot, signature: '' };
    drawn.set(row.key, made);
    return update(made, row);
  }

  function update(target: Drawn, row: Row): Drawn {
    const signature = JSON.stringify(row);
    if (signature === target.signature) return target;
    target.signature = signature;
    const { node, author, foot } = target;
    node.className = [row.kind, row.mine ? 'mine' : 'theirs', row.first ? 'first' : '', row.last ? 'last' : ''].join(
      ' ',
    );
    if (row.key === 'greeting') node.querySelector('.text')?.replaceChildren(...withLinks(row.text));
    author.textContent = row.author;
    author.hidden = !row.author;
    foot.replaceChildren(...footOf(row));
    foot.hidden = !foot.firstChild;
    foot.className = `foot ${row.progress ?? ''}`;
    return target;
  }

  function footOf(row: Row): Node[] {
    const { progress, key } = row;
    if (progress === 'failed') {
      return [
        el('span', { class: 'why' }, progressIcon(progress), `${words.progress.failed}. ${row.reason}`),
        action(words.retry, () => handlers.onRetry(key)),
        action(words.remove, () => handlers.onRemove(key)),
      ];
    }
    if (row.kind !== 'bubble' || !row.at || !row.last) return [];
    const time = el('time', { datetime: new Date(row.at).toISOString() }, clock(row.at));
    if (!progress) return [time];
    const word = words.progress[progress];
    const name = el('span', progress === 'late' ? {} : { class: 'spoken' }, word);
    const state = el('span', { class: 'state', title: word }, progressIcon(progress), name);
    return [time, state];
  }

  function action(label: string, run: () => void): HTMLElement {
    const button = el('button', { class: 'link', type: 'button' }, label);
    button.addEventListener('click', run);
    return button;
  }

  return { node, draw, toEnd, isAtEnd: () => atEnd };
}
