import { isComposing } from 'browser/isComposing';
import type { BaseContext, FormKind, Panel } from '../context.ts';
import { addStyles, el } from '../dom-helpers.ts';
import { texts } from '../language.ts';
import { createPartStarter } from '../parts.ts';
import { createComposer } from './composer.ts';
import { createFullScreen } from './full-screen.ts';
import { createHeader } from './header.ts';
import { hideEvents } from './hide-events.ts';
import { chevronIcon } from './icons.ts';
import logCss from './log.css';
import { createLog } from './log.ts';
import panelCss from './panel.css';
import { rowsOf } from './rows.ts';

/** How often the panel checks whether a message that is being sent is late. */
const TICK_MS = 1_000;
/** Fields of the page. If the visitor writes in one while the page opens the chat, the focus stays there. */
const WRITTEN_IN = ':read-write, iframe';

/** The form that stands above the composer now; null: none. */
function formOf({ store, storage }: BaseContext, comesBack: boolean): FormKind | null {
  const { config, chat, pending, connection, identifying } = store.state;
  const goesOn = pending.length || (chat && chat.status !== 'closed');
  // For a returning visitor, wait for the server: there may be an open chat.
  if (goesOn || ((comesBack || identifying) && connection === 'starting')) return null;
  const met = storage.read('met');
  if (config.online || config.assistant) return config.preChat === 'off' || met ? null : 'ask';
  return met === 'mail' ? null : 'leave';
}

/** The chat's panel, drawn from the state. */
export function createPanel(context: BaseContext): Panel {
  const { host, store, storage, language } = context;
  const { button, container } = host;
  const startPart = createPartStarter(context, () => panel);
  const header = createHeader(context);
  const log = createLog(context, startPart);
  const composer = createComposer(context, startPart);
  const node = el('div', 'panel', { role: 'dialog' }, ...header.nodes, log.node, composer.node);
  const fitScreen = createFullScreen(node, context.signal);
  const chevron = chevronIcon();
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const comesBack = !!storage.read('token');
  const corrects = storage.keys('draft:edit:').length;
  let before: Element | null = null;
  let tick: ReturnType<typeof setTimeout> | undefined;

  node.hidden = true;
  addStyles(host.root, panelCss + logCss);
  container.dir = language.direction;
  container.lang = language.name;
  container.prepend(node);
  chevron.classList.add('chevron');
  button.append(chevron);
  node.addEventListener('dragenter', () => startPart('files', () => {}), { once: true });
  scheme.addEventListener('change', render, { signal: context.signal });
  header.menu.addEventListener('click', () => startPart('menu', (menu) => menu.toggle(header.menu)));
  hideEvents(container, context.signal);
  node.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isComposing(event) && !event.defaultPrevented) host.close();
  });

  /** Draws a part that has something to show, or ever had: it may have to remove it. */
  const renderPart = (name: 'teaser' | 'articles' | 'assistant' | 'rating' | 'changes', isDue: unknown) =>
    startPart(name, (part) => part.render(), !!isDue);

  function renderButton(): void {
    const { config, chat } = store.state;
    const { buttonText, greetings, assistant, articles } = config;
    button.setAttribute('aria-label', node.hidden ? buttonText : texts.closeChat);
    button.setAttribute('aria-expanded', `${!node.hidden}`);
    renderPart('assistant', assistant || chat?.assistant);
    renderPart('articles', articles);
    // It also counts the unread messages.
    renderPart('teaser', store.unread() || greetings);
  }

  async function renderForm(): Promise<void> {
    const kind = formOf(context, comesBack);
    // What the site asks for before the chat and its buttons come first, but take nobody's field away.
    composer.node.hidden = (kind === 'ask' || !!store.state.taps) && !composer.isInUse();
    if (!kind && !composer.ask) return;
    // Until the form is there, a message waits.
    if (kind) composer.ask ??= () => null;
    if (await startPart('form', (form) => form.show(formOf(context, comesBack)))) return;
    // If the form cannot be loaded, writing without it is better than not writing at all.
    composer.ask = null;
    composer.node.hidden = false;
  }

  function render(): void {
    const { theme } = host.options;
    container.toggleAttribute('data-dark', theme === 'dark' || (theme !== 'light' && scheme.matches));
    renderButton();
    if (node.hidden) return;
    node.setAttribute('aria-label', store.state.config.customization.navbarTitle);
    header.render();
    composer.render();
    void renderForm();
    const { chat } = store.state;
    renderPart('rating', chat?.status === 'closed' && (!chat.rating || storage.read(`draft:rating:${chat._id}`)));
    renderPart('changes', corrects);
    const rows = rowsOf(store, Date.now(), language.locale);
    log.draw(rows);
    clearTimeout(tick);
    if (rows.some(({ progress }) => progress === 'sending')) tick = setTimeout(render, TICK_MS);
  }

  /** Returns the focus to the page's element that had it, else to the launcher. */
  function giveFocusBack(): void {
    const isOwn = before?.isConnected && !before.matches('body, parley-widget');
    (isOwn ? (before as HTMLElement) : button).focus();
  }

  function close(): boolean {
    if (node.hidden) return false;
    clearTimeout(tick);
    const held = host.root.activeElement !== null;
    node.hidden = true;
    fitScreen();
    renderButton();
    if (held) giveFocusBack();
    return true;
  }

  const panel: Panel = {
    node,
    composer,
    render,
    isWatching: () => !node.hidden && !document.hidden && document.hasFocus() && log.isAtEnd(),
    open(focus) {
      before = document.activeElement;
      node.hidden = false;
      render();
      fitScreen();
      composer.fit();
      log.toEnd();
      if (focus && !before?.matches(WRITTEN_IN)) composer.focus();
    },
    close,
    remove() {
      close();
      node.remove();
      chevron.remove();
    },
  };
  return panel;
}
