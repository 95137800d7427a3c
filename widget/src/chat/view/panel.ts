import { addStyles, el, mark } from '../../dom.ts';
import type { Frame } from '../../frame.ts';
import type { Store } from '../state.ts';
import { words } from '../words.ts';
import { createComposer } from './composer.ts';
import { chevronIcon, closeIcon } from './icons.ts';
import { createLog } from './log.ts';
import css from './panel.css';
import { createPhone } from './phone.ts';
import { LATE_MS, rowsOf } from './rows.ts';

export interface PanelHandlers {
  draft: string;
  onDraft(text: string): void;
  onSend(text: string): void;
  onRetry(clientId: string): void;
  onRemove(clientId: string): void;
  /** The newest message may have come into view. */
  onLook(): void;
}

export interface Panel {
  open(focus: boolean): void;
  /** Says whether it was open. */
  close(): boolean;
  /** The newest message is on screen in a page that has the focus. */
  isWatching(): boolean;
  /** Draws what the state says now. */
  render(): void;
}

/** The chat's panel, drawn from the state and from nothing else. */
export function createPanel(frame: Frame, store: Store, handlers: PanelHandlers): Panel {
  const face = el('div', { class: 'face', 'aria-hidden': 'true' });
  const title = el('h2', { class: 'title', dir: 'auto' });
  const status = el('p', { class: 'status', dir: 'auto' });
  const shut = el('button', { class: 'close', type: 'button', 'aria-label': words.closeChat }, closeIcon());
  const header = el('header', {}, face, el('div', { class: 'names' }, title, status), shut);
  const offline = el('p', { class: 'offline', dir: 'auto' });
  const lost = el('div', { class: 'lost' }, words.reconnecting);
  const bars = el('div', { role: 'status' }, lost, offline);
  const log = createLog({ ...handlers, onEnd: handlers.onLook });
  const composer = createComposer(handlers.draft, handlers.onDraft, handlers.onSend);
  const panel = el('div', { class: 'panel', role: 'dialog' }, header, bars, log.node, composer.node);
  const phone = createPhone(panel);
  const count = el('span', { class: 'badge', 'aria-hidden': 'true' });
  let before: Element | null = null;
  let late: ReturnType<typeof setTimeout> | undefined;

  panel.hidden = true;
  addStyles(frame.root, css);
  frame.stage.prepend(panel);
  frame.button.append(chevronIcon(), count);
  shut.addEventListener('click', frame.close);
  // The page's own shortcuts would not know that somebody is writing: from outside, the target is not a text field.
  for (const type of ['keydown', 'keyup', 'keypress'])
    frame.stage.addEventListener(type, (event) => event.stopPropagation());
  frame.stage.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.isComposing && !panel.hidden) frame.close();
  });

  function renderHeader(): void {
    const { config, chat, link } = store.state;
    const { navbarTitle, offlineMessage } = config.customization;
    const agent = chat && chat.status !== 'closed' ? chat.agent : null;
    title.textContent = navbarTitle;
    panel.setAttribute('aria-label', navbarTitle);
    status.textContent = agent ? words.talkingWith(agent.name) : config.online ? words.online : words.offline;
    status.classList.toggle('on', config.online);
    face.replaceChildren(agent ? initialsOf(agent.name) : mark());
    setText(offline, config.online ? '' : offlineMessage);
    lost.hidden = link !== 'lost';
  }

  function renderButton(): void {
    const { buttonText } = store.state.config;
    const unread = store.unread();
    setText(count, unread > 9 ? '9+' : unread ? `${unread}` : '');
    const name = unread ? words.unread(buttonText, unread) : buttonText;
    frame.button.setAttribute('aria-label', panel.hidden ? name : words.closeChat);
    frame.button.setAttribute('aria-expanded', `${!panel.hidden}`);
  }

  function render(): void {
    renderButton();
    if (panel.hidden) return;
    const now = Date.now();
    renderHeader();
    log.draw(rowsOf(store, now));
    clearTimeout(late);
    const next = store.state.pending.find(({ at, failed }) => !failed && now - at <= LATE_MS);
    if (next) late = setTimeout(render, next.at + LATE_MS + 1 - now);
  }

  /** To the page's own button where that opened the panel, else to the launcher. */
  function giveFocusBack(): void {
    const own = before instanceof HTMLElement && before.isConnected && before !== document.body;
    (own && before !== frame.root.host ? (before as HTMLElement) : frame.button).focus();
  }

  return {
    render,
    isWatching: () => !panel.hidden && document.visibilityState === 'visible' && document.hasFocus() && log.isAtEnd(),
    open(focus) {
      before = document.activeElement;
      panel.hidden = false;
      render();
      phone.opened();
      composer.fit();
      log.toEnd();
      if (focus) composer.focus();
    },
    close() {
      if (panel.hidden) return false;
      clearTimeout(late);
      phone.closed();
      const held = frame.root.activeElement !== null;
      panel.hidden = true;
      renderButton();
      if (held) giveFocusBack();
      return true;
    },
  };
}

/** Sets a text that may be empty, without telling a screen reader what it knows. */
function setText(node: HTMLElement, text: string): void {
  node.hidden = !text;
  if (node.textContent !== text) node.textContent = text;
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const parts = name.trim().split(/\s+/);
  const letters = [parts[0], parts.length > 1 ? parts[parts.length - 1] : ''].map((part) => [...(part ?? '')][0] ?? '');
  return letters.join('').toUpperCase();
}
