import { REQUEST_TIMEOUT_MS, type Success, type WidgetConfig } from 'server/contract';
import type { Calls, Emit, Endpoint, Options } from './host.ts';
import type { ParleyEvents as Events, ParleyApi } from './parley.d.ts';
import { createWidget, type LoadChat, retryDelay, type Widget } from './widget.ts';

/** The calls that are queued until the widget is there. */
const CALLS =
  'open openArticle close toggle show hide sendMessage prefill identify setAttributes setPage setLanguage setTheme logout'.split(
    ' ',
  ) as (keyof Calls)[];

type Listener<E extends keyof Events> = (detail: Events[E]) => void;

/** Creates `window.Parley` at once, and the widget as soon as the page has loaded and the server has answered. */
export function boot(endpoint: Endpoint, loadChat: LoadChat, options: Options, version: string): void {
  // Browsers also make `window.Parley` for an element with this id.
  const there = window.Parley as (ParleyApi & { doubled?: boolean }) | undefined;
  if (there?.destroy) {
    if (!there.doubled) console.warn('Parley: a second tag.');
    // One warning only: client-side routers run the page's tags at each visit.
    there.doubled = true;
    return;
  }
  const { emit, ...listening } = createListeners();
  const waiting: Parameters<Widget['run']>[] = [];
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
      if (widget) widget.run(name, args);
      else waiting.push([name, args]);
    };
  window.Parley = parley;
  if (Array.isArray(there)) runCalls(parley, there);

  async function start(tries = 0): Promise<void> {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const response = await fetch(
      `${endpoint.api}?v=${version}&l=${options.language || document.documentElement.lang}&c=${encodeURIComponent(options.color ?? '')}`,
      { credentials: 'omit', signal },
    ).catch(() => null);
    // A proxy may answer with a page of HTML, or with a status that says nothing about the widget.
    const answer: (Partial<Pick<Success<WidgetConfig>, 'data'>> & { code?: string }) | null = await response
      ?.json()
      .catch(() => null);
    if (ended) return;
    if (answer?.data) {
      widget = createWidget(endpoint, answer.data, emit, loadChat, options);
      for (const call of waiting) widget.run(...call);
      emit('ready');
    } else if (answer?.code && (response?.status === 403 || response?.status === 404)) {
      console.warn('Parley: no widget, or it is off.');
    } else {
      if (!tries) console.warn('Parley: no answer yet.');
      retry = setTimeout(start, retryDelay(tries), tries + 1);
    }
  }

  const begin = () => setTimeout(start);
  if (document.readyState === 'complete') begin();
  else addEventListener('load', begin);
}

function notify(listener: (detail: never) => void, detail?: unknown): void {
  try {
    listener(detail as never);
  } catch (error) {
    console.error(error);
  }
}

/** The page's event listeners. One that throws stops neither the widget nor the other listeners. */
function createListeners() {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  let ready = false;

  function off<E extends keyof Events>(event: E, listener: Listener<E>): void {
    listeners.get(event)?.delete(listener);
  }

  function on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known.add(listener));
    // The page cannot know when the script loads, so a late listener is told of `ready`, too.
    if (ready && event === 'ready') queueMicrotask(() => notify(listener));
    return () => off(event, listener);
  }

  function once<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const stop = on(event, (detail) => {
      stop();
      listener(detail);
    });
    return stop;
  }

  function emit(event: keyof Events, detail?: Events[keyof Events]): void {
    if (event === 'ready') ready = true;
    for (const listener of [...(listeners.get(event) ?? [])]) notify(listener, detail);
  }

  return { on, once, off, emit: emit as Emit };
}

/** Runs calls in the form in which the page queues them: `['open']`. */
function runCalls(parley: ParleyApi, calls: unknown[][]): void {
  for (const call of calls) {
    const [name, ...rest] = [call].flat();
    const method: unknown = parley[name as keyof ParleyApi];
    if (typeof method === 'function') method.apply(parley, rest);
    else console.warn('Parley: no call', call);
  }
}
