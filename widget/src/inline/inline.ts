import type { ChatContext } from '../chat/context.ts';
import css from './inline.css';

/** How long the page may take to draw the element before the launcher shows. */
const PATIENCE_MS = 5_000;
/** How often, at most, a page that changes is searched for the element. */
const SEARCH_EVERY_MS = 100;

/**
 * Puts the panel into the element of the page that `inline` selects, open and without a launcher. Single-page applications draw it late,
 * remove it and draw it again: while it is not there, the widget is as on any page. `body` stands for the whole window.
 */
export function placeInPage({ host, panel, signal }: ChatContext): void {
  const { inline: selector = '', hidden = false } = host.options;
  const widget = host.root.host as HTMLElement;
  const { close } = panel;
  let placed = false;
  let search: ReturnType<typeof setTimeout> | undefined;

  function find(): Element | null {
    try {
      return document.querySelector(selector);
    } catch {
      // Not a selector.
      return null;
    }
  }

  function place(): void {
    search = undefined;
    const element = find();
    if (element) putInto(element);
    else if (placed) takeOut();
  }

  function putInto(element: Element): void {
    const isPage = element === document.body;
    // Beside the body: a panel that fills the window makes the body inert.
    const parent = isPage ? document.documentElement : element;
    if (placed && widget.parentNode === parent) return;
    placed = true;
    widget.dataset.inline = isPage ? 'page' : 'element';
    parent.append(widget);
    // What is open already is measured again in its new place.
    if (!panel.node.hidden) panel.open(false);
    void host.open(isPage);
  }

  function takeOut(): void {
    placed = false;
    delete widget.dataset.inline;
    void host.close();
    showLauncher();
  }

  function showLauncher(): void {
    host.button.hidden = hidden !== false;
  }

  // Neither Escape nor the page closes what has no launcher to open it again.
  panel.close = () => {
    if (!placed) return close();
    void host.open(false);
    return false;
  };
  host.dom.addStyles(host.root, css);
  const patience = setTimeout(() => {
    if (placed) return;
    console.warn(`Parley: no element ${selector}.`);
    showLauncher();
  }, PATIENCE_MS);
  const observer = new MutationObserver(() => {
    search ??= setTimeout(place, SEARCH_EVERY_MS);
  });
  observer.observe(document, { childList: true, subtree: true });
  // Where the panel is as wide as the window or its element, the field's lines break anew.
  addEventListener('resize', panel.composer.fit, { signal });
  signal.addEventListener('abort', () => {
    observer.disconnect();
    clearTimeout(patience);
    clearTimeout(search);
  });
  place();
}
