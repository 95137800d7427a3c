import { perServer } from './scope.ts';

/** What happened, told after the commit. Each feature adds its own facts to this map. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by each feature through declaration merging
export interface Facts {}

type Listener<Name extends keyof Facts> = (fact: Facts[Name]) => void | Promise<void>;

const DONE = Promise.resolve();
const own = perServer(() => ({
  listeners: new Map<keyof Facts, Set<Listener<keyof Facts>>>(),
  report: (() => {}) as (error: unknown, what: string) => void,
}));

/** Typed facts between features: told by actions, heard by doors. The bus knows no feature. */
export const bus = {
  /** Listens to one kind of fact; gives the function that stops listening. */
  on<Name extends keyof Facts>(name: Name, listener: Listener<Name>): () => void {
    const { listeners } = own();
    const all = listeners.get(name) ?? new Set();
    listeners.set(name, all);
    all.add(listener as Listener<keyof Facts>);
    return () => all.delete(listener as Listener<keyof Facts>);
  },

  /** One function that stops all of these listeners. */
  stopAll(stops: (() => void)[]): () => void {
    return () => {
      for (const stop of stops) stop();
    };
  },

  /** Tells a fact and waits for its listeners; a listener's failure is reported and never reaches the teller. */
  tell<Name extends keyof Facts>(name: Name, fact: Facts[Name]): Promise<void> {
    const { listeners, report } = own();
    const running: Promise<void>[] = [];
    for (const listener of listeners.get(name) ?? []) {
      try {
        // Most listeners are done when they return: they cost no promise.
        const run = listener(fact as Facts[keyof Facts]);
        if (run) running.push(run.catch((error) => report(error, `listener of ${name}`)));
      } catch (error) {
        report(error, `listener of ${name}`);
      }
    }
    return running.length > 0 ? Promise.all(running).then(() => {}) : DONE;
  },

  /** Reports a failure of work that nobody waits for. */
  fail(error: unknown, what: string): void {
    own().report(error, what);
  },

  /** Where failures after the commit are reported. */
  reportTo(sink: (error: unknown, what: string) => void): void {
    own().report = sink;
  },
};
