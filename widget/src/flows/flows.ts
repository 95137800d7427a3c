import type { FlowButton, WidgetButtons } from 'server/contract';
import type { ChatContext } from '../chat/context.ts';
import { addStyles, el, useDomHelpers } from '../chat/dom-helpers.ts';
import { queueMessage } from '../chat/outbox.ts';
import type { PartTexts } from '../languages/en.ts';
import css from './flows.css';
import { type Level, levelAfter } from './level.ts';

/** How soon the buttons are asked for again where that failed. */
const RETRY_MS = 10_000;

/**
 * Shows buttons in place of the field. A tap sends the button's label as a message, and which buttons follow can be read from the
 * messages: so it is the same after a reload, in other tabs and on other devices.
 * @returns draws them: call it after every change
 */
export function start(context: ChatContext, texts: PartTexts): () => void {
  const { host, panel, storage, store, language, signal } = context;
  const { composer } = panel;
  const { state } = store;
  useDomHelpers(host.dom);
  addStyles(host.root, css);
  const focusField = composer.focus;
  let node = el('div', 'flows');
  let found: WidgetButtons | null = null;
  /** What the config said of the buttons that were asked for last. */
  let asked: unknown;
  /** Whether it is known which conversation goes on: of a returning visitor, only the server knows. */
  let known = !storage.read('token') && !state.identifying;
  /** The chat in which the visitor has chosen to write. */
  let writesIn = '';
  let drawn = '';

  async function load(): Promise<void> {
    const { buttons } = state.config;
    asked = buttons;
    try {
      // A preview has them in its config.
      const answer = Array.isArray(buttons)
        ? { data: { buttons, main: {} } }
        : await (await fetch(`${host.api}/buttons?l=${language.name}&v=${buttons}`, { credentials: 'omit' })).json();
      if (asked !== buttons) return;
      found = answer.data;
      if (!found) throw answer;
    } catch {
      setTimeout(() => {
        if (asked === buttons && !signal.aborted) void load();
      }, RETRY_MS);
      // Until then, the visitor writes.
      found ??= { buttons: [], main: {} };
    }
    render();
  }

  const place = () => `${state.chat?._id}${state.chat?.status === 'closed'}`;

  /** What may be tapped now; null: nothing, the visitor writes. */
  function level(): Level | null {
    const { config, connection, blocked, greeting } = state;
    if (connection === 'live') known = true;
    if (!config.buttons || blocked || greeting || writesIn === place() || composer.isInUse()) return null;
    // Nothing stands there until it is known what should.
    if (!found || (!known && connection === 'starting')) return { question: '', buttons: [] };
    const now = known ? levelAfter(state, found) : null;
    return now?.buttons.length ? now : null;
  }

  function render(): void {
    const { config } = state;
    if (config.buttons && config.buttons !== asked) void load();
    const now = level();
    draw(now);
    if (!now === !state.taps) return;
    store.set({ taps: !!now });
    composer.fit();
  }

  function draw(now: Level | null): void {
    // What the site asks for before the chat comes first.
    const waits = composer.ask && (state.config.online || state.config.assistant);
    const shown = now?.buttons.length && !waits ? now : null;
    const signature = JSON.stringify(shown);
    const isFirst = drawn === '';
    if (signature === drawn || (isFirst && !shown)) return;
    const held = node.contains(host.root.activeElement) || (isFirst && host.root.activeElement === host.button);
    drawn = signature;
    // Another group each time, so that screen readers say its name.
    const before = node;
    node = el('div', 'flows', { role: 'group', 'aria-label': shown?.question || texts.articlesTitle });
    node.hidden = !shown;
    if (shown) {
      const other = el('button', 'tap other', { type: 'button' }, texts.somethingElse);
      other.onclick = write;
      if (shown.question) node.append(el('p', '', { dir: 'auto' }, shown.question));
      node.append(el('div', 'taps', {}, ...shown.buttons.map(choice)), other);
    }
    if (before.isConnected) before.replaceWith(node);
    else composer.node.after(node);
    if (!held || panel.node.hidden) return;
    // An answer has come: it is what the visitor wants now, and not the keyboard of a phone.
    if (shown) focus();
    else panel.node.querySelector<HTMLElement>('.list')?.focus();
  }

  function focus(): void {
    render();
    const first = node.querySelector<HTMLElement>('.tap');
    if (composer.node.hidden && first) first.focus({ preventScroll: true });
    else focusField();
  }

  function write(): void {
    writesIn = place();
    render();
    focusField();
  }

  function choice(button: FlowButton): HTMLElement {
    const { label, target } = button;
    const isLink = target.kind === 'link';
    const isPage = isLink && /^http/i.test(target.url);
    const drawnButton = isLink
      ? el('a', 'tap', { href: target.url, rel: 'noopener', ...(isPage && { target: '_blank' }) })
      : el('button', 'tap', { type: 'button' });
    drawnButton.dir = 'auto';
    drawnButton.append(label);
    drawnButton.onclick = (event) => {
      if (!tap(button)) event.preventDefault();
    };
    return drawnButton;
  }

  /** @returns whether the message could be sent: a form may ask for something first */
  function tap({ label, target }: FlowButton): boolean {
    const from = composer.ask?.();
    if (from === null) return false;
    queueMessage(storage, label, {
      from,
      ...(target.kind === 'department' && { department: target.department }),
    });
    render();
    if (target.kind === 'article') {
      state.openArticle = target.article;
      // Where the site shows none by itself, the part is loaded for this one.
      state.config.articles ??= 'off';
      panel.render();
    } else focus();
    return true;
  }

  composer.focus = focus;
  // What the page or another tab writes into the field.
  storage.watch((key) => key === 'draft' && render(), signal);
  signal.addEventListener('abort', () => node.remove());
  return render;
}
