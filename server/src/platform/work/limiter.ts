/** A semaphore with fair turns: a few places for many holders. */
export interface Limiter {
  /**
   * Waits for a place.
   * @param holder has at most one place: a holder's further requests wait for it, and do not delay other holders
   * @returns a function that frees the place
   * @throws the error that `refused` makes: no place became free in time, or the signal was aborted
   */
  take(holder: string, signal?: AbortSignal): Promise<() => void>;
}

/** How long and how many requests may wait. */
export interface LimiterOptions {
  /** Milliseconds */
  waitMaxMs: number;
  /** Per holder; one more is refused at once. */
  waitingMax: number;
  /** Makes the error for requests that waited in vain. */
  refused: () => Error;
}

type Call = () => void;

/**
 * Creates a limiter with round-robin turns: the holder who has waited longest since the last turn is next.
 * @param concurrency how many holders may work at the same time
 */
export function createLimiter(concurrency: number, { waitMaxMs, waitingMax, refused }: LimiterOptions): Limiter {
  const served = new Set<string>();
  /**
   * Queues by holder. A holder who is served and has more requests moves to the end: the map's order is the order of turns.
   */
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
      if (served.size < concurrency) call?.();
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
      if (served.size < concurrency && !served.has(holder)) return enter(holder);
      return wait(holder, signal);
    },
  };
}
