import type { WidgetConfig } from 'server/contract';
import { paintOf } from './color.ts';
import { addStyles, el, mark } from './dom.ts';
import type { Options } from './frame.ts';
import css from './launcher.css';

/** The widget's only node on the page, and the button in it. */
export interface Launcher {
  root: ShadowRoot;
  /** All of the widget stands in it. */
  stage: HTMLElement;
  button: HTMLButtonElement;
  restyle(config: WidgetConfig): void;
  remove(): void;
}

/** Draws the launcher in a host of its own, out of reach of the page's styles. */
export function drawLauncher(config: WidgetConfig, { position, color, zIndex, offset }: Options): Launcher {
  const page = document.documentElement;
  const host = document.createElement('parley-widget');
  const root = host.attachShadow({ mode: 'open' });
  const label = el('span', 'label');
  const button = el('button', 'launcher', { 'aria-expanded': 'false' }, mark(), label);
  const stage = el('section', '', { dir: getComputedStyle(page).direction }, button);

  function restyle({ buttonText, customization }: WidgetConfig): void {
    const { fill, ink } = paintOf(color?.match(/^#[\da-f]{6}$/i)?.[0] ?? customization.color);
    stage.className = `stage ${position ?? customization.position}`;
    stage.style.setProperty('--fill', fill);
    stage.style.setProperty('--ink', ink);
    stage.setAttribute('aria-label', buttonText);
    label.textContent = buttonText;
  }

  addStyles(root, css);
  root.append(stage);
  restyle(config);
  // Plain numbers are pixels. What the browser cannot read as a number or a length, it passes over.
  stage.style.zIndex = zIndex ?? '';
  stage.style.padding = (offset ?? '').replace(/\d{1,9}(?![\d.%a-z])/gi, '$&px');
  // Beside `body`, not in it: client-side routers replace the body, and a transformed one would carry the launcher away.
  page.append(host);
  let stays = true;
  const guard = new MutationObserver(() =>
    requestAnimationFrame(() => stays && !host.isConnected && page.append(host)),
  );
  guard.observe(page, { childList: true });

  return {
    root,
    stage,
    button,
    restyle,
    remove() {
      stays = false;
      guard.disconnect();
      host.remove();
    },
  };
}
