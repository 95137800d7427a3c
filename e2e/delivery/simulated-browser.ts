/** What the pages of one browser share: local storage and Web Locks. */
export interface SimulatedBrowser {
  /** Adds a page. @param told is called with the key of each write by another page */
  enter(told: (key: string) => void): { localStorage: Storage; locks: Locks; leave(): void };
}

/** The part of `navigator.locks` that is used. */
interface Locks {
  request<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  request<Result>(name: string, options: { signal: AbortSignal }, run: () => Promise<Result>): Promise<Result>;
}

/** A browser with empty storage. */
export function createSimulatedBrowser(): SimulatedBrowser {
  const items = new Map<string, string>();
  const pages = new Set<(key: string) => void>();
  const turns = new Map<string, Promise<void>>();

  return {
    enter(told) {
      pages.add(told);
      /** Locks to release when the page is closed. */
      const holds = new Set<() => void>();
      let gone = false;
      const tell = (key: string) => {
        for (const page of pages) if (page !== told) queueMicrotask(() => pages.has(page) && page(key));
      };
      const put = (key: string, value: string | null) => {
        // A closed page no longer writes.
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

/** Waits for the lock of that name. @returns the function that releases it. An aborted request blocks nobody. */
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

/** Web storage over a map. Keys are own properties, because the product calls `Object.keys`. */
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
