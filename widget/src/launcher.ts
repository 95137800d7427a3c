import type { WidgetConfig } from 'server/contract';
import { addStyles, el, mark } from './dom.ts';
import type { Options } from './host.ts';
import css from './launcher.css';

/** WCAG asks for 4.5 for text; the rest covers the error of the approximated gamma below. */
const CONTRAST_TEXT = 4.7;
/** A colour with less contrast to white counts as light. */
const CONTRAST_LIGHT = 3;
const DARKEN_STEP = 0.02;
const WHITE = '#fff';
const DARK = '#1d1b18';

/** The widget's only node on the page, and the button in it. */
export interface Launcher {
  root: ShadowRoot;
  /** The element that holds the launcher and the panel. */
  container: HTMLElement;
  button: HTMLButtonElement;
  restyle(config: WidgetConfig): void;
  remove(): void;
}

/** Draws the launcher in a shadow root, which the page's styles do not reach. */
export function drawLauncher(config: WidgetConfig, { position, color, zIndex, offset }: Options): Launcher {
  const page = document.documentElement;
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  const label = el('span', 'label');
  const button = el('button', 'launcher', { 'aria-expanded': 'false' }, mark(), label);
  // Plain numbers are pixels.
  const padding = `${offset}`.replace(/\d{1,9}(?![\d.%a-z])/gi, '$&px');
  let shown: WidgetConfig;
  const container = el('section', '', { dir: getComputedStyle(page).direction }, button);

  function restyle(next: WidgetConfig): void {
    shown = next;
    const { buttonText, customization, launcher, online } = next;
    const isAway = launcher?.hideOn.some((part) => location.href.includes(part));
    const look = css + (launcher?.css ?? '');
    const [sheet] = root.adoptedStyleSheets ?? [];
    if (sheet) sheet.replaceSync(look);
    else addStyles(root, look);
    const { fill, ink } = surfaceColors(`${color}`.match(/^#[\da-f]{6}$/i)?.[0] ?? customization.color);
    container.className = `stage ${position ?? customization.position} online-${online} away-${isAway}`;
    // The browser ignores a declaration that the page's attributes leave out or get wrong.
    container.style.cssText = `--fill:${fill};--ink:${ink};z-index:${zIndex};padding:${padding}`;
    container.setAttribute('aria-label', buttonText);
    label.textContent = buttonText;
  }

  root.append(container);
  restyle(config);
  // Beside `body`, not in it: client-side routers replace the body, and `position: fixed` does not hold in a transformed one.
  page.append(host);
  let stays = true;
  const guard = new MutationObserver(() =>
    requestAnimationFrame(() => stays && !host.isConnected && page.append(host)),
  );
  guard.observe(page, { childList: true });
  // Client-side routers change the address without a load.
  const { navigation } = window as { navigation?: EventTarget };
  const follow = () => restyle(shown);
  navigation?.addEventListener('navigatesuccess', follow);

  return {
    root,
    container,
    button,
    restyle,
    remove() {
      stays = false;
      navigation?.removeEventListener('navigatesuccess', follow);
      guard.disconnect();
      host.remove();
    },
  };
}

/** A surface in a site's colour, and the colour of text that is readable on it. */
interface SurfaceColors {
  fill: string;
  ink: string;
}

type Channels = [red: number, green: number, blue: number];

function contrastWithWhite(channels: Channels): number {
  const [r, g, b] = channels.map((value) => (value / 255) ** 2.2) as Channels;
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
}

/**
 * The surface and text colours for a site's colour (`#rrggbb`). Light colours get dark text. On medium ones people expect white
 * text, so these are darkened until white is readable, and no further.
 */
function surfaceColors(color: string): SurfaceColors {
  const number = Number(`0x${color.slice(1)}`);
  const exact: Channels = [number >> 16, (number >> 8) & 255, number & 255];
  if (contrastWithWhite(exact) < CONTRAST_LIGHT) return { fill: color, ink: DARK };
  let fill = exact;
  for (let share = 1; contrastWithWhite(fill) < CONTRAST_TEXT; share -= DARKEN_STEP) {
    fill = exact.map((value) => (value * share) | 0) as Channels;
  }
  return { fill: `rgb(${fill})`, ink: WHITE };
}
