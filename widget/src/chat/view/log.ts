import { el } from '../kit.ts';
import type { Outbox } from '../outbox.ts';
import { words } from '../words.ts';
import { chevronIcon, progressIcon } from './icons.ts';
import { withLinks } from './links.ts';
import type { Row } from './rows.ts';
import { clock } from './times.ts';

/** Nearer to the end than this many pixels counts as being there. */
const NEAR_PX = 48;

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

/** `onLook`: the reader came to the newest message. */
export function createLog(outbox: Outbox, onLook: () => void): Log {
  const drawn = new Map<string, Drawn>();
  const list = el('div', 'list', { role: 'log', tabindex: '0', 'aria-label': words.conversation });
  const latest = el('button', 'latest', {}, chevronIcon(), words.latest);
  const node = el('div', 'thread', {}, list, latest);
  latest.hidden = true;
  let atEnd = true;

  function toEnd(): void {
    list.scrollTop = list.scrollHeight;
    atEnd = true;
    latest.hidden = true;
  }

  list.addEventListener('scroll', () => {
    const was = atEnd;
    atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    if (!atEnd || was) return;
    latest.hidden = true;
    onLook();
  });
  latest.addEventListener('click', () => {
    toEnd();
    onLook();
  });
  // The phone's keyboard and a growing composer take from the thread's height.
  new ResizeObserver(() => atEnd && toEnd()).observe(list);

  function draw(rows: readonly Row[]): void {
    const keys = new Set(rows.map(({ key }) => key));
    for (const [key, { node }] of drawn) {
      if (!keys.has(key) && drawn.delete(key)) node.remove();
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
    if (atEnd || newest.progress) toEnd();
    else latest.hidden = false;
  }

  function make(row: Row): Drawn {
    const author = el('div', 'author');
    const foot = el('div', '', { 'aria-live': 'off' });
    const text = el('div', 'text', { dir: 'auto' }, ...withLinks(row.text));
    const node = el('div', '', {}, author, text, foot);
    const made = { node, author, foot, signature: '' };
    drawn.set(row.key, made);
    return update(made, row);
  }

  function update(target: Drawn, row: Row): Drawn {
    const signature = JSON.stringify(row);
    if (signature === target.signature) return target;
    target.signature = signature;
    const { node, author, foot } = target;
    node.className = `${row.kind} ${row.progress ? 'mine' : ''} ${row.first ? '' : 'inner'}`;
    author.textContent = row.first ? row.author : '';
    foot.replaceChildren(...footOf(row));
    foot.className = `foot ${row.progress ?? ''}`;
    return target;
  }

  function footOf(row: Row): Node[] {
    const { progress, key } = row;
    if (progress === 'failed') {
      return [
        el('span', 'why', {}, progressIcon(progress), `${words.progress.failed}. ${row.why}`),
        action(words.retry, () => outbox.retry(key)),
        action(words.remove, () => outbox.remove(key)),
      ];
    }
    if (row.kind !== 'bubble' || !row.at || !row.last) return [];
    const time = el('time', '', { title: new Date(row.at).toLocaleString() }, clock(row.at));
    if (!progress) return [time];
    const word = words.progress[progress];
    const name = el('span', progress === 'late' ? '' : 'spoken', {}, word);
    const state = el('span', 'state', { title: word }, progressIcon(progress), name);
    return [time, state];
  }

  function action(label: string, run: () => void): HTMLElement {
    const button = el('button', 'link', {}, label);
    button.addEventListener('click', run);
    return button;
  }

  return { node, draw, toEnd, isAtEnd: () => atEnd };
}
