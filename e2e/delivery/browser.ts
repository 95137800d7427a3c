/** What the pages of one browser share: storage, and locks under which they take turns. */
export interface Browser {
  /** The storage as one page sees it, and the locks it may take. `told` hears of what the others write. */
  enter(told: (key: string) => void): { localStorage: Storage; locks: Locks; leave(): void };
}

/** As much of `navigator.locks` as is used. */
interface Locks {
  request<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  request<Result>(name: string, options: { signal: AbortSignal }, run: () => Promise<Result>): Promise<Result>;
}

/** A browser that has never been anywhere. */
export function createBrowser(): Browser {
  const items = new Map<string, string>();
  const pages = new Set<(key: string) => void>();
  const turns = new Map<string, Promise<void>>();

  return {
    enter(told) {
      pages.add(told);
      /** What the page has to let go of when it is left. */
      const holds = new Set<() => void>();
      let gone = false;
      const tell = (key: string) => {
        for (const page of pages) if (page !== told) queueMicrotask(() => pages.has(page) && page(key));
      };
      const put = (key: string, value: string | null) => {
        // A page that was closed writes no more.
        if (gone) return;
        if (value === null) items.delete(key);
        else items.set(key, value);
        tell(key);
      };
      return {
        localStorage: storageOf(items, put),
        locks: {
          async request<Result>(name: string, ...given: unknown[]) {
            const run = given.pop() as () => Promise<Result>;
            const free = await turn(turns, name, (given[0] as { signal: AbortSignal } | undefined)?.signal);
            holds.add(free);
            if (gone) free();
            return gone ? new Promise(() => {}) : run().finally(() => holds.delete(free) && free());
          },
        },
        leave() {
          pages.delete(told);
          gone = true;
          for (const free of holds) free();
        },
      };
    },
  };
}

/** Waits until all earlier ones of that name are over; gives what ends this one. Who gives up waiting holds up nobody. */
async function turn(turns: Map<string, Promise<void>>, name: string, signal?: AbortSignal): Promise<() => void> {
  const before = turns.get(name);
  let free = () => {};
  turns.set(name, new Promise((done) => (free = done)));
  const givenUp = new Promise<never>((_, refuse) => signal?.addEventListener('abort', () => refuse(signal.reason)));
  try {
    await Promise.race([before, givenUp]);
  } catch (reason) {
    void before?.then(free);
    throw reason;
  }
  return free;
}

/** Web storage over a map: keys are its own properties too, as `Object.keys` is asked for them. */
function storageOf(items: Map<string, string>, put: (key: string, value: string | null) => void): Storage {
  const area = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => put(key, value),
    removeItem: (key: string) => put(key, null),
    key: (index: number) => [...items.keys()][index] ?? null,
    clear: () => [...items.keys()].forEach((key) => void put(key, null)),
    length: 0,
  };
  return new Proxy(area, {
    get: (target, name) => (name === 'length' ? items.size : Reflect.get(target, name)),
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (_, name) => ({ configurable: true, enumerable: true, value: items.get(String(name)) }),
  });
}
