import { vi } from 'vitest';
import type { Parley } from '../src/api.ts';
import { boot } from '../src/boot.ts';
import type { StandIn } from './standin.ts';

/** What jsdom lacks of a browser; nothing here is looked at. */
class NoObserver {
  observe(): void {}
}

/** A page that carries the widget: its script has just run. */
export function visit({ origin, code }: Pick<StandIn, 'origin' | 'code'>): void {
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('matchMedia', () => new EventTarget());
  boot({ origin, code, api: `${origin}/api/widget/${code}` }, () => import('../src/chat/chat.ts'));
}

/** The page goes away; what the browser keeps stays. */
export function leave(): void {
  if (window.Parley && !Array.isArray(window.Parley)) window.Parley.destroy();
}

export function parley(): Parley {
  if (!window.Parley || Array.isArray(window.Parley)) throw new Error('The script has not run.');
  return window.Parley;
}

export function find<Found extends HTMLElement>(selector: string): Found {
  const found = document.querySelector('parley-widget')?.shadowRoot?.querySelector<Found>(selector);
  if (!found) throw new Error(`There is no ${selector}.`);
  return found;
}

export function texts(selector: string): string[] {
  const root = document.querySelector('parley-widget')?.shadowRoot;
  return [...(root?.querySelectorAll(selector) ?? [])].map((node) => node.textContent ?? '');
}

/** Writes into the composer and presses Enter. */
export function write(text: string): void {
  const input = find<HTMLTextAreaElement>('textarea');
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}
