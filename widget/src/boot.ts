import type { WidgetConfig } from 'server/contract';
import { type Commands, createListeners, type Parley, runCalls } from './api.ts';
import type { Place } from './frame.ts';
import { call, isGone } from './http.ts';
import { createWidget, type LoadChat } from './widget.ts';

declare global {
  interface Window {
    /** Calls that the page queued, and from then on the widget itself. */
    Parley?: unknown[][] | Parley;
  }
}

const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 300_000;

/** Gives the page its `Parley` at once, and the widget as soon as the page has loaded and the server answered. */
export function boot(place: Place, loadChat: LoadChat): void {
  const queued = window.Parley;
  if (queued && !Array.isArray(queued)) {
    console.warn('Parley: the second script tag does nothing.');
    return;
  }
  const { emit, ...listening } = createListeners();
  const waiting: ((widget: Commands) => void)[] = [];
  let widget: Commands | null = null;
  let ended = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const later = (name: 'open' | 'close' | 'toggle' | 'show' | 'hide') => () => {
    if (widget) widget[name]();
    else waiting.push((ready) => ready[name]());
  };
  const parley: Parley = {
    ...listening,
    open: later('open'),
    close: later('close'),
    toggle: later('toggle'),
    show: later('show'),
    hide: later('hide'),
    isOpen: () => widget?.isOpen() ?? false,
    push: (...calls) => runCalls(parley, calls),
    destroy: () => {
      ended = true;
      clearTimeout(retry);
      widget?.destroy();
      delete window.Parley;
    },
  };
  window.Parley = parley;
  runCalls(parley, queued ?? []);

  async function start(tries: number): Promise<void> {
    const reply = await call<WidgetConfig>(place.api);
    if (ended) return;
    if (reply.ok) {
      widget = createWidget(place, reply, emit, loadChat);
      for (const run of waiting.splice(0)) run(widget);
      emit('ready', undefined);
    } else if (isGone(reply)) {
      console.warn('Parley: no widget here, or it is switched off.');
    } else {
      if (!tries) console.warn('Parley: the server does not answer; trying again later.');
      retry = setTimeout(start, Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** tries), tries + 1);
    }
  }

  const begin = () => setTimeout(start, 0, 0);
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin, { once: true });
}
