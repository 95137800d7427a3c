import { REQUEST_TIMEOUT_MS, type Success, type WidgetConfig } from 'server/contract';
import { type Calls, createListeners, runCalls } from './api.ts';
import type { Options, Place } from './frame.ts';
import type { ParleyApi } from './parley.d.ts';
import { createWidget, type LoadChat, type Widget } from './widget.ts';

const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 300_000;
/** The calls that wait until the widget is there. */
const CALLS: (keyof Calls)[] = [
  'open',
  'close',
  'toggle',
  'show',
  'hide',
  'sendMessage',
  'prefill',
  'identify',
  'setAttributes',
  'setPage',
  'setLanguage',
  'setTheme',
  'logout',
];

/** Gives the page its `Parley` at once, and the widget as soon as the page has loaded and the server answered. */
export function boot(place: Place, loadChat: LoadChat, options: Options = {}, version = ''): void {
  const queued = window.Parley;
  if (queued && !Array.isArray(queued)) {
    console.warn('Parley: the second script tag does nothing.');
    return;
  }
  const { emit, ...listening } = createListeners();
  const waiting: ((widget: Widget) => void)[] = [];
  let widget: Widget | null = null;
  let ended = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function later(run: (widget: Widget) => void): void {
    if (widget) run(widget);
    else waiting.push(run);
  }

  const parley = {
    ...listening,
    isOpen: () => widget?.isOpen() ?? false,
    push: (...calls) => runCalls(parley, calls),
    destroy: () => {
      ended = true;
      clearTimeout(retry);
      widget?.destroy();
      delete window.Parley;
    },
  } as ParleyApi;
  for (const name of CALLS) parley[name] = (...args: unknown[]) => later((ready) => ready.tell(name, args));
  window.Parley = parley;
  runCalls(parley, queued ?? []);

  async function start(tries: number): Promise<void> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(`${place.api}?v=${version}`, { credentials: 'omit', signal }).catch(() => null);
    // A proxy may answer with a page of HTML.
    const answer: Partial<Success<WidgetConfig>> | null = await response?.json().catch(() => null);
    if (ended) return;
    if (answer?.data) {
      widget = createWidget(place, answer.data, emit, loadChat, options);
      for (const run of waiting.splice(0)) run(widget);
      emit('ready', undefined);
    } else if (response?.status === 403 || response?.status === 404) {
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
