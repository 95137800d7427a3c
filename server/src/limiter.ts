/** A few places that many want. */
export interface Limiter {
  /**
   * Waits for a place; gives the function that leaves it.
   * @param holder has one place at most: whoever asks for many waits for his own, and not before others
   * @throws what `refused` makes: none got free in time, or the signal says that nobody waits any longer
   */
  take(holder: string, signal?: AbortSignal): Promise<() => void>;
}

/** How long and how many may wait. */
export interface Patience {
  /** Milliseconds */
  waitMaxMs: number;
  /** Of one holder; one more is refused at once. */
  waitingMax: number;
  /** What those are told who wait in vain. */
  refused: () => Error;
}

type Call = () => void;

/** Makes places that holders take in turn: the one who has waited longest without being served is next. @param places how many */
export function createLimiter(places: number, { waitMaxMs, waitingMax, refused }: Patience): Limiter {
  const served = new Set<string>();
  /** By holder. Who was called and waits for more goes to the end: the order of the map is the order of turns. */
  const waiting = new Map<string, Call[]>();

  function forget(holder: string, call: Call): void {
    const left = (waiting.get(holder) ?? []).filter((other) => other !== call);
    waiting.delete(holder);
    if (left.length > 0) waiting.set(holder, left);
  }

  function enter(holder: string): () => void {
    served.add(holder);
    return () => {
      served.delete(holder);
      callNext();
    };
  }

  function callNext(): void {
    for (const [holder, [call]] of waiting) {
      if (served.has(holder)) continue;
      if (served.size < places) call?.();
      return;
    }
  }

  function wait(holder: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        forget(holder, call);
        reject(refused());
      };
      const call = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        forget(holder, call);
        resolve(enter(holder));
      };
      const timer = setTimeout(giveUp, waitMaxMs);
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.set(holder, [...(waiting.get(holder) ?? []), call]);
    });
  }

  return {
    async take(holder, signal = new AbortController().signal) {
      if (signal.aborted || (waiting.get(holder)?.length ?? 0) >= waitingMax) throw refused();
      if (served.size < places && !served.has(holder)) return enter(holder);
      return wait(holder, signal);
    },
  };
}
