import type { BaseContext, StartPart } from '../context.ts';
import { el } from '../dom-helpers.ts';
import { format, texts } from '../language.ts';
import { chevronIcon, menuIcon, progressIcon } from './icons.ts';
import { type Row, timeText } from './rows.ts';

/** What may be a web address, which the part `files` makes a link. */
const ADDRESS = /https?:|www\./i;
/** Within this distance, in pixels, the list counts as scrolled to the end (or to the start). */
const NEAR_PX = 48;
/** How much of a message its button is named with, for screen readers. */
const NAME_LENGTH = 40;

/** A row's element. It is changed in place, so that a screen reader reads each message once. */
interface Drawn {
  node: HTMLElement;
  signature: string;
}

/** What a row's element holds; `change` opens the menu of an own message. */
type RowParts = [author: HTMLElement, text: HTMLElement, foot: HTMLElement, change: HTMLElement];

/** The list of messages. It stays at the newest message unless the visitor has scrolled up. */
export function createLog(context: BaseContext, startPart: StartPart) {
  const { store, language } = context;
  const drawn = new Map<string, Drawn>();
  const unshown: [text: HTMLElement, row: Row][] = [];
  const list = el('div', 'list', { role: 'log', tabindex: '0', 'aria-label': texts.conversation });
  const latest = el('button', 'latest', {}, chevronIcon(), texts.latest);
  const typing = el('div', 'typing');
  const node = el('div', 'thread', {}, list, latest, typing);
  latest.hidden = true;
  let atEnd = true;
  let room = 0;

  function toEnd(): void {
    list.scrollTop = list.scrollHeight;
    atEnd = true;
    latest.hidden = true;
  }

  list.addEventListener('scroll', () => {
    if (list.scrollTop < NEAR_PX) void context.live?.loadEarlier();
    const was = atEnd;
    // A change of height also fires `scroll`, though nobody scrolled. The ResizeObserver below handles it.
    if (list.clientHeight !== room) return;
    atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX;
    if (!atEnd || was) return;
    latest.hidden = true;
    context.live?.report();
  });
  latest.addEventListener('click', () => {
    toEnd();
    context.live?.report();
  });
  // The phone's keyboard and a growing composer make the list smaller.
  new ResizeObserver(() => {
    room = list.clientHeight;
    if (atEnd) toEnd();
  }).observe(list);

  function draw(rows: readonly Row[]): void {
    const { typing: name } = store.state;
    typing.textContent = name && format(texts.typing, name);
    const height = list.scrollHeight;
    const [, oldest] = rows;
    const grewUpwards = drawn.size > 1 && oldest && !drawn.has(oldest.key);
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
    // A list too short to be scrolled loads earlier messages by itself.
    if (list.scrollHeight <= list.clientHeight) void context.live?.loadEarlier();
    if (grewUpwards && !atEnd) list.scrollTop += list.scrollHeight - height;
    else if (newest && (atEnd || newest.progress)) toEnd();
    else if (newest) latest.hidden = false;
  }

  function make(row: Row): Drawn {
    const change = el('button', 'tool change', { 'aria-haspopup': 'menu', 'aria-live': 'off' }, menuIcon());
    const foot = el('div', '', { 'aria-live': 'off' });
    const node = el('div', '', {}, el('div', 'author'), el('div', 'text', { dir: 'auto' }), foot, change);
    const made = { node, signature: '' };
    change.addEventListener('click', () => startPart('changes', (part) => part.toggle(change, row.key)));
    drawn.set(row.key, made);
    return update(made, row);
  }

  function update(target: Drawn, row: Row): Drawn {
    const signature = JSON.stringify(row);
    if (signature === target.signature) return target;
    target.signature = signature;
    const { node } = target;
    const [author, text, foot, change] = node.children as unknown as RowParts;
    // What the server has stored may differ from what was sent: card numbers are masked.
    const isNew = row.message ? !text.firstChild : text.textContent !== row.text;
    if (isNew) text.textContent = row.text;
    if (row.message || (isNew && ADDRESS.test(row.text))) showMore(text, row);
    node.className = `${row.kind} ${row.progress ? 'mine' : ''} ${row.first ? '' : 'inner'}`;
    author.textContent = row.first ? row.author : '';
    change.hidden = row.can !== 'change';
    change.setAttribute('aria-label', `${texts.menu}: ${row.text.slice(0, NAME_LENGTH)}`);
    foot.replaceChildren(...footOf(row));
    foot.className = `foot ${row.progress ?? ''}`;
    return target;
  }

  /** Shows files, links, formatting and changed messages. What was there before stays until the part that draws them is loaded. */
  function showMore(...more: [text: HTMLElement, row: Row]): void {
    unshown.push(more);
    void startPart('files', async (part) => {
      await Promise.all(unshown.splice(0).map((more) => part.show(...more)));
      if (atEnd) toEnd();
    });
  }

  function footOf(row: Row): Node[] {
    const { progress, why } = row;
    const isFailed = progress === 'failed';
    if (row.bar) return [row.bar];
    if (progress && (isFailed || why)) {
      const actions = el('span', '');
      if (isFailed) void startPart('files', (part) => part.explain(actions, row));
      return [el('span', 'why', {}, progressIcon(progress), `${texts[progress]}. ${why}`), actions];
    }
    if (row.kind !== 'bubble' || !row.at || !row.last) return [];
    const time = el(
      'time',
      '',
      { title: new Date(row.at).toLocaleString(language.locale) },
      timeText(row.at, language.locale),
    );
    if (!progress) return [time];
    const word = texts[progress];
    const name = el('span', progress === 'late' ? '' : 'spoken', {}, word);
    const state = el('span', 'state', { title: word }, progressIcon(progress), name);
    return [time, state];
  }

  return { node, draw, toEnd, isAtEnd: () => atEnd };
}
