import type { ChatCommands } from './frame.ts';
import type { ParleyEvents as Events, ParleyApi } from './parley.d.ts';

/** What the page can tell the launcher. */
export type LauncherCommands = Pick<ParleyApi, 'open' | 'close' | 'toggle' | 'show' | 'hide'>;

/** What the page can tell the widget, now or later. */
export type Calls = LauncherCommands & ChatCommands;

type Listener<E extends keyof Events> = (detail: Events[E]) => void;

function tell<Detail>(listener: (detail: Detail) => void, detail: Detail): void {
  try {
    listener(detail);
  } catch (error) {
    console.error(error);
  }
}

/** Who listens to what; a listener that throws hurts neither the widget nor the other listeners. */
export function createListeners() {
  const listeners = new Map<string, Set<(detail: never) => void>>();
  let ready = false;

  function off<E extends keyof Events>(event: E, listener: Listener<E>): void {
    listeners.get(event)?.delete(listener);
  }

  function on<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known.add(listener));
    // The script loads when it will: whoever asks later is told all the same.
    if (ready && event === 'ready') queueMicrotask(() => tell(listener, undefined as Events[E]));
    return () => off(event, listener);
  }

  function once<E extends keyof Events>(event: E, listener: Listener<E>): () => void {
    const stop = on(event, (detail) => {
      stop();
      listener(detail);
    });
    return stop;
  }

  function emit<E extends keyof Events>(event: E, detail: Events[E]): void {
    if (event === 'ready') ready = true;
    for (const listener of [...(listeners.get(event) ?? [])] as Listener<E>[]) tell(listener, detail);
  }

  return { on, once, off, emit };
}

/** Runs calls in the form that the page queues them, `['open']`. */
export function runCalls(parley: ParleyApi, calls: unknown[][]): void {
  for (const call of calls) {
    const [name, ...rest] = Array.isArray(call) ? call : [];
    const method: unknown = parley[name as keyof ParleyApi];
    if (typeof method === 'function') method.apply(parley, rest);
    else console.warn('Parley: there is no call', call);
  }
}
