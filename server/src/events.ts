import { perServer } from './scope.ts';

/** What happened, emitted after the commit. Each feature adds its own events to this map. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by each feature through declaration merging
export interface Events {}

type Listener<Name extends keyof Events> = (event: Events[Name]) => void | Promise<void>;

const DONE = Promise.resolve();
const own = perServer(() => ({
  listeners: new Map<keyof Events, Set<Listener<keyof Events>>>(),
  report: (() => {}) as (error: unknown, what: string) => void,
}));

/** Typed events between features: actions emit them, listeners broadcast and notify. This file depends on no feature. */
export const events = {
  /** Adds a listener for one kind of event. @returns a disposer */
  on<Name extends keyof Events>(name: Name, listener: Listener<Name>): () => void {
    const { listeners } = own();
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all);
    all.add(listener as Listener<keyof Events>);
    return () => all.delete(listener as Listener<keyof Events>);
  },

  /** Combines several disposers into one. */
  stopAll(stops: (() => void)[]): () => void {
    return () => {
      for (const stop of stops) stop();
    };
  },

  /** Emits an event and waits for its listeners. A listener's failure is reported and never reaches the emitter. */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): Promise<void> {
    const { listeners, report } = own();
    const running: Promise<void>[] = [];
    for (const listener of listeners.get(name) ?? []) {
      try {
        // Most listeners are synchronous, whatever they return: only promises are collected and awaited.
        const run: unknown = listener(event as Events[keyof Events]);
        if (isThenable(run)) running.push(Promise.resolve(run).catch((error) => report(error, `listener of ${name}`)));
      } catch (error) {
        report(error, `listener of ${name}`);
      }
    }
    return running.length > 0 ? Promise.all(running).then(() => {}) : DONE;
  },

  /** Reports the failure of work that no caller awaits. */
  fail(error: unknown, what: string): void {
    own().report(error, what);
  },

  /** Sets the function that receives failures after a commit. */
  reportTo(report: (error: unknown, what: string) => void): void {
    own().report = report;
  },
};

function isThenable(value: unknown): value is PromiseLike<void> {
  return typeof value === 'object' && value !== null && 'then' in value;
}
