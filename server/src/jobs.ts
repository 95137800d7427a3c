/** Work that comes round again and again: in bounded steps, harmless when repeated, and ended early by the signal. */
export type Job = (now: number, signal: AbortSignal) => Promise<void>;

/** How jobs are run. */
interface Round {
  everyMs: number;
  /** Milliseconds */
  now: () => number;
  /** Told what went wrong; the other jobs and the next round go on. */
  failed: (error: unknown) => void;
}

/** Runs the jobs one after the other, now and then again and again. Gives the function that ends it, once the step under way is over. */
export function startJobs(jobs: Job[], { everyMs, now, failed }: Round): () => Promise<void> {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running = round();

  async function round(): Promise<void> {
    for (const job of jobs) {
      if (stopping.signal.aborted) return;
      await job(now(), stopping.signal).catch(failed);
    }
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = round();
    }, everyMs);
    timer.unref();
  }

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
  };
}
