import type { WidgetConfig } from 'server/contract';
import { addStyles, el, mark } from './dom.ts';
import type { Options } from './host.ts';
import css from './launcher.css';

/** How soon the launcher follows a change of the page's address. */
const FOLLOW_MS = 300;

/** Draws the launcher: the widget's only node on the page, with a shadow root, which the page's styles do not reach. */
export function drawLauncher(config: WidgetConfig, { position, color, zIndex, offset }: Options) {
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  const label = el('span', 'label');
  const button = el('button', 'launcher', { 'aria-expanded': 'false' }, mark(), label);
  // Plain numbers are pixels.
  const padding = `${offset}`.replace(/\d{1,9}(?![\d.%a-z])/gi, '$&px');
  let shown = config;
  /** The page's, when the launcher was drawn last. */
  let address = '';
  const container = el('section', '', {}, button);

  function restyle(next: WidgetConfig): void {
    shown = next;
    address = location.href;
    const { buttonText, customization, launcher, online } = next;
    const isAway = launcher?.hideOn.some((part) => address.includes(part));
    const look = css + (launcher?.css ?? '');
    const [sheet] = root.adoptedStyleSheets ?? [];
    if (sheet) sheet.replaceSync(look);
    else addStyles(root, look);
    container.className = `stage ${position ?? customization.position} online-${online} away-${isAway}`;
    // The first config has the colours for the one that the page chose. The browser ignores what attributes leave out or get wrong.
    container.style.cssText = `${(color ? config : next).colors};z-index:${zIndex};padding:${padding}`;
    container.setAttribute('aria-label', buttonText);
    label.textContent = buttonText;
  }

  // Client-side routers change the address without a load, and not every browser tells of it. They replace the body: the host is beside
  // it, not in it, also because `position: fixed` does not hold in a transformed one. What they do not know they may remove.
  function follow(): void {
    if (address !== location.href) restyle(shown);
    if (!host.isConnected) document.documentElement.append(host);
  }

  root.append(container);
  follow();
  const timer = setInterval(follow, FOLLOW_MS);
  const lifetime = new AbortController();
  // Where a modal of the page traps the focus, its library cancels and stops clicks elsewhere, before the launcher gets them.
  const disarm = (event: Event) => {
    if (event.target === host) event.preventDefault = event.stopImmediatePropagation = () => {};
  };
  // What listens for clicks beside it would close such a modal, and return the focus to the page.
  container.onpointerdown = (event) => event.stopPropagation();
  for (const type of ['touchstart', 'mousedown', 'click'])
    addEventListener(type, disarm, { capture: true, signal: lifetime.signal });

  return {
    root,
    /** The element that holds the launcher and the panel. */
    container,
    button,
    restyle,
    remove(): void {
      clearInterval(timer);
      lifetime.abort();
      host.remove();
    },
  };
}
