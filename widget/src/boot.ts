import { REQUEST_TIMEOUT_MS, type Success, type WidgetConfig } from 'server/contract';
import { type Calls, createListeners, runCalls } from './api.ts';
import type { Options, Place } from './frame.ts';
import type { ParleyApi } from './parley.d.ts';
import { createWidget, type LoadChat, type Widget } from './widget.ts';

const RETRY_MIN_MS = 5_000;
const RETRY_MAX_MS = 300_000;
/** The calls that wait until the widget is there. */
const CALLS =
  'open close toggle show hide sendMessage prefill identify setAttributes setPage setLanguage setTheme logout'.split(
    ' ',
  ) as (keyof Calls)[];

/** Gives the page its `Parley` at once, and the widget as soon as the page has loaded and the server answered. */
export function boot(place: Place, loadChat: LoadChat, options: Options, version: string): void {
  // An element with this id goes by the same name.
  const there = window.Parley as (ParleyApi & { doubled?: boolean }) | undefined;
  if (there?.destroy) {
    if (!there.doubled) console.warn('Parley: a second tag does nothing.');
    // Routers that run the page's tags at each visit would fill the console.
    there.doubled = true;
    return;
  }
  const { emit, ...listening } = createListeners();
  const waiting: Parameters<Widget['tell']>[] = [];
  let widget: Widget | null = null;
  let ended = false;
  let retry: ReturnType<typeof setTimeout> | undefined;

  const parley = {
    ...listening,
    isOpen: () => !!widget?.isOpen(),
    push: (...calls) => runCalls(parley, calls),
    destroy: () => {
      ended = true;
      clearTimeout(retry);
      widget?.destroy();
      delete window.Parley;
    },
  } as ParleyApi;
  for (const name of CALLS)
    parley[name] = (...args: unknown[]) => {
      if (widget) widget.tell(name, args);
      else waiting.push([name, args]);
    };
  window.Parley = parley;
  if (Array.isArray(there)) runCalls(parley, there);

  async function start(tries: number): Promise<void> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(`${place.api}?v=${version}`, { credentials: 'omit', signal }).catch(() => null);
    // A proxy may answer with a page of HTML, and with a status that says nothing of the widget.
    const answer: (Partial<Pick<Success<WidgetConfig>, 'data'>> & { code?: string }) | null = await response
      ?.json()
      .catch(() => null);
    if (ended) return;
    if (answer?.data) {
      widget = createWidget(place, answer.data, emit, loadChat, options);
      for (const call of waiting) widget.tell(...call);
      emit('ready', undefined);
    } else if (answer?.code && (response?.status === 403 || response?.status === 404)) {
      console.warn('Parley: no widget here, or it is off.');
    } else {
      if (!tries) console.warn('Parley: no answer yet; trying again.');
      retry = setTimeout(start, Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** tries), tries + 1);
    }
  }

  const begin = () => setTimeout(start, 0, 0);
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin);
}
