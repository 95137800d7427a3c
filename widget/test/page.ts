import { vi } from 'vitest';
import { importBundledPart } from '../src/bundled-parts.ts';
import { start } from '../src/chat/chat.ts';
import type { ImportPart } from '../src/chat/context.ts';
import type { Host, Options } from '../src/host.ts';
import { boot } from '../src/page-api.ts';
import type { ParleyApi } from '../src/parley.d.ts';
import type { StandIn } from './standin.ts';

/** A stand-in for ResizeObserver, which jsdom lacks. */
class NoObserver {
  observe(): void {}
}

/** Opens a page with the widget: its script has just run. */
export function visit(
  { origin, code }: Pick<StandIn, 'origin' | 'code'>,
  options: Options = {},
  loadPart: ImportPart = importBundledPart,
  beforeLoad: (attempt: number) => void = () => {},
): void {
  vi.stubGlobal('ResizeObserver', NoObserver);
  vi.stubGlobal('matchMedia', () => new EventTarget());
  const startChat = (host: Host) => start(host, loadPart);
  const load = async (attempt: number) => {
    beforeLoad(attempt);
    return { startChat };
  };
  boot({ origin, code, api: `${origin}/api/widget/${code}` }, load, options, '1');
}

/** Closes the page; the browser's storage stays. */
export function leave(): void {
  if (window.Parley && !Array.isArray(window.Parley)) window.Parley.destroy();
}

export function parley(): ParleyApi {
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

/** Writes into the composer. */
export function type(text: string): HTMLTextAreaElement {
  const input = find<HTMLTextAreaElement>('.composer textarea');
  input.value = text;
  input.dispatchEvent(new Event('input', { bubbles: true }));
  return input;
}

/** Writes into the composer and presses Enter. */
export function write(text: string): void {
  const input = type(text);
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
}

/** Fills in a field by its label. */
export function fillIn(label: string, value: string): void {
  const root = document.querySelector('parley-widget')?.shadowRoot;
  const field = [...(root?.querySelectorAll('label') ?? [])].find(
    ({ firstChild }) => firstChild?.textContent === label,
  );
  const input = field?.querySelector<HTMLInputElement | HTMLSelectElement>('input, select');
  if (!input) throw new Error(`There is no field ${label}.`);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Clicks the button that says this. */
export function press(text: string): void {
  const root = document.querySelector('parley-widget')?.shadowRoot;
  const button = [...(root?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent === text);
  if (!button) throw new Error(`There is no button ${text}.`);
  button.click();
}
