import type { PartContext } from '../chat/context.ts';
import { addStyles, el, mark, useDomHelpers } from '../chat/dom-helpers.ts';
import { plural } from '../chat/language.ts';
import { isAnswer } from '../chat/state.ts';
import { initials, showFace } from '../chat/view/header.ts';
import css from './teaser.css';

/** A live region must be on the page before its text is set, else screen readers do not read it. */
const SPEAK_AFTER_MS = 150;
/** More than this is not counted. */
const COUNT_MAX = 9;
/** More than three lines can show; screen readers read no further either. */
const TEXT_MAX_LENGTH = 240;

/** What the teaser shows. */
interface Teaser {
  /** Stored when the visitor closes the teaser or opens the chat: it is not shown again. */
  key: string;
  name: string;
  text: string;
  picture: string | null;
  /** What else closing it does. */
  close?: () => void;
}

/** Counts the unread answers, and shows the newest of them, else a greeting, above the closed launcher until the visitor closes it or opens the chat. */
export function start(context: PartContext) {
  const { host, language, panel, signal, storage, store, texts } = context;
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const spoken = el('div', 'spoken', { role: 'status' });
  let card: HTMLElement | null = null;
  let shown = '';
  let chooses = false;
  const count = el('span', 'badge', { 'aria-hidden': 'true' });
  host.button.before(spoken);
  host.button.append(count);

  function unread(): Teaser | null {
    const { chat, messages } = store.state;
    const newest = messages
      .filter((message) => isAnswer(message) && message.chatId === chat?._id && !message.deletedAt)
      .pop();
    if (!chat || !newest || newest.seq <= chat.readSeq) return null;
    const { senderName, senderAvatar, text } = newest;
    return { key: chat._id + newest.seq, name: senderName ?? '', text, picture: senderAvatar };
  }

  function greeting(): Teaser | null {
    const { config, greeting } = store.state;
    return greeting && { ...greeting, key: greeting.id, name: config.name, picture: config.logo };
  }

  /** Loads what chooses greetings, where the site has some. Without it, none shows. */
  async function chooseGreetings(): Promise<void> {
    if (chooses || !store.state.config.greetings) return;
    chooses = true;
    const part = await context.loadPart('greetings').catch(() => null);
    if (part && !signal.aborted) part.start(context);
    chooses = part !== null;
  }

  /** Shows how many answers are unread, on the launcher and in its name. */
  function showCount(): void {
    const unread = store.unread();
    const { locale } = language;
    const number = Math.min(unread, COUNT_MAX).toLocaleString(locale);
    count.textContent = unread ? number + (unread > COUNT_MAX ? '+' : '') : '';
    if (!unread || !panel.node.hidden) return;
    host.button.setAttribute(
      'aria-label',
      [store.state.config.buttonText, plural(texts.unread, unread, locale)].join(' · '),
    );
  }

  function render(): void {
    showCount();
    void chooseGreetings();
    const teaser = unread() ?? greeting();
    if (teaser && !panel.node.hidden) storage.write('shut', teaser.key);
    const next = teaser && storage.read('shut') !== teaser.key ? teaser : null;
    // Its author may correct it while it is shown.
    if ((next ? next.key + next.text : '') === shown) return;
    remove();
    if (next) show(next);
  }

  function remove(): void {
    if (card?.contains(host.root.activeElement)) host.button.focus();
    card?.remove();
    card = null;
    shown = '';
    spoken.textContent = '';
  }

  function show({ key, name, text, picture, close: more }: Teaser): void {
    const words = text.slice(0, TEXT_MAX_LENGTH);
    const face = el('span', 'face', { 'aria-hidden': 'true' });
    showFace(face, host.origin, picture, initials(name) || mark());
    const lines = el(
      'span',
      'lines',
      { dir: 'auto' },
      el('b', '', {}, name),
      el('span', 'text', { dir: 'auto' }, words),
    );
    const open = el('button', 'words', {}, face, lines);
    const shut = el('button', 'shut', { 'aria-label': texts.notNow }, '×');
    const close = () => {
      storage.write('shut', key);
      more?.();
      render();
    };
    open.addEventListener('click', () => host.open(true));
    shut.addEventListener('click', close);
    card = el('div', 'teaser', { role: 'group', 'aria-label': texts.newMessage }, open, shut);
    card.addEventListener('keydown', ({ key: pressed }) => pressed === 'Escape' && close());
    const drawn = key + text;
    shown = drawn;
    host.button.before(card);
    setTimeout(() => {
      if (shown === drawn) spoken.textContent = `${texts.newMessage}. ${name}: ${words}`;
    }, SPEAK_AFTER_MS);
  }

  // Another tab has opened the chat or closed the teaser.
  addEventListener('storage', render, { signal });
  signal.addEventListener('abort', () => {
    remove();
    spoken.remove();
    count.remove();
  });

  return { render };
}
