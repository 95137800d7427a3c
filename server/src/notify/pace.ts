/** Work that is done at once, and then at most once in a while: what comes meanwhile waits, and only the last of it is done. */
export interface Pace {
  /** @param key work under different keys does not wait for each other */
  run(key: string, work: () => void): void;
  /** Drops what waits. */
  stop(): void;
}

/** @param everyMs how long is waited after work was done */
export function createPace(everyMs: number): Pace {
  const waits = new Map<string, { timer: NodeJS.Timeout; next: (() => void) | null }>();

  function start(key: string, work: () => void): void {
    const timer = setTimeout(() => {
      const next = waits.get(key)?.next;
      waits.delete(key);
      if (next) start(key, next);
    }, everyMs);
    timer.unref();
    waits.set(key, { timer, next: null });
    work();
  }

  return {
    run(key, work) {
      const wait = waits.get(key);
      if (wait) wait.next = work;
      else start(key, work);
    },
    stop() {
      for (const { timer } of waits.values()) clearTimeout(timer);
      waits.clear();
    },
  };
}
