import type { Frame } from '../../frame.ts';
import { addStyles, el, mark } from '../kit.ts';
import type { Outbox } from '../outbox.ts';
import type { Store } from '../state.ts';
import type { Storage } from '../storage.ts';
import { words } from '../words.ts';
import { createComposer } from './composer.ts';
import { chevronIcon, closeIcon } from './icons.ts';
import logCss from './log.css';
import { createLog } from './log.ts';
import panelCss from './panel.css';
import { createPhone } from './phone.ts';
import { rowsOf } from './rows.ts';

/** How often the panel looks whether a message has been on its way for long. */
const TICK_MS = 1_000;

export interface Panel {
  open(focus: boolean): void;
  /** Says whether it was open. */
  close(): boolean;
  /** The newest message is on screen in a page that has the focus. */
  isWatching(): boolean;
  /** Draws what the state says now. */
  render(): void;
}

/** The chat's panel, drawn from the state. `onLook`: the newest message may have come into view. */
export function createPanel(frame: Frame, store: Store, storage: Storage, outbox: Outbox, onLook: () => void): Panel {
  const face = el('div', 'face', { 'aria-hidden': 'true' });
  const title = el('h2', 'title');
  const status = el('p', 'status');
  const shut = el('button', 'close', { 'aria-label': words.closeChat }, closeIcon());
  const header = el('header', '', {}, face, el('div', 'names', {}, title, status), shut);
  const offline = el('p', 'offline');
  const lost = el('div', 'lost', {}, words.reconnecting);
  const bars = el('div', '', { role: 'status' }, lost, offline);
  const log = createLog(outbox, onLook);
  const composer = createComposer(storage, outbox);
  const panel = el('div', 'panel', { role: 'dialog' }, header, bars, log.node, composer.node);
  const phone = createPhone(panel);
  const chevron = chevronIcon();
  const count = el('span', 'badge', { 'aria-hidden': 'true' });
  let before: Element | null = null;
  let tick: ReturnType<typeof setTimeout> | undefined;

  panel.hidden = true;
  addStyles(frame.root, panelCss + logCss);
  frame.stage.prepend(panel);
  chevron.classList.add('chevron');
  frame.button.append(chevron, count);
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
    face.replaceChildren(agent ? ([...agent.name][0]?.toUpperCase() ?? '') : mark());
    const notice = config.online ? '' : offlineMessage;
    // The same text set again would be read out again.
    if (offline.textContent !== notice) offline.textContent = notice;
    lost.hidden = link !== 'lost';
  }

  function renderButton(): void {
    const { buttonText } = store.state.config;
    const unread = store.unread();
    count.textContent = unread > 9 ? '9+' : `${unread || ''}`;
    const name = unread ? words.unread(buttonText, unread) : buttonText;
    frame.button.setAttribute('aria-label', panel.hidden ? name : words.closeChat);
    frame.button.setAttribute('aria-expanded', `${!panel.hidden}`);
  }

  function render(): void {
    renderButton();
    if (panel.hidden) return;
    renderHeader();
    const rows = rowsOf(store, Date.now());
    log.draw(rows);
    clearTimeout(tick);
    if (rows.some(({ progress }) => progress === 'sending')) tick = setTimeout(render, TICK_MS);
  }

  /** To the page's own button where that opened the panel, else to the launcher. */
  function giveFocusBack(): void {
    const own = before instanceof HTMLElement && before.isConnected && !before.matches('body, parley-widget');
    (own ? (before as HTMLElement) : frame.button).focus();
  }

  return {
    render,
    isWatching: () => !panel.hidden && !document.hidden && document.hasFocus() && log.isAtEnd(),
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
      clearTimeout(tick);
      phone.closed();
      const held = frame.root.activeElement !== null;
      panel.hidden = true;
      renderButton();
      if (held) giveFocusBack();
      return true;
    },
  };
}
