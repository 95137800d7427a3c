/** Work that comes round again and again: in bounded steps, harmless when repeated, and ended early by the signal. */
export type Job = (now: number, signal: AbortSignal) => Promise<void>;

/** How jobs are run. */
interface Round {
  everyMs: number;
  /** Milliseconds */
  now: () => number;
  /** Told what went wrong; the other jobs and the next round go on. */
  failed: (error: unknown) => void;
  /** Whether anything is left that will be due some time; without it, rounds are rare until `wake`. */
  isAwaited?: () => Promise<boolean>;
}

/** What rests looks after the work of other processes, which do not wake it, this many times more seldom. */
const REST_ROUNDS = 30;

/** Jobs that run again and again. */
interface Jobs {
  /** There is something to wait for: ends the rest. */
  wake(): void;
  /** Ends it, once the step under way is over. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs one after the other, now and then again and again. While nothing is awaited they rest: a process with
 * nobody there is not woken every second.
 */
export function startJobs(jobs: Job[], { everyMs, now, failed, isAwaited }: Round): Jobs {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isResting = false;
  /** Woken during a round, which may have looked before there was anything. */
  let isWoken = false;
  let running = round();

  async function round(): Promise<void> {
    isWoken = false;
    for (const job of jobs) {
      if (stopping.signal.aborted) return;
      await job(now(), stopping.signal).catch(failed);
    }
    const mayRest = isAwaited !== undefined && !(await isAwaited().catch(() => true));
    if (stopping.signal.aborted) return;
    isResting = mayRest && !isWoken;
    comeRound(isResting ? everyMs * REST_ROUNDS : everyMs);
  }

  function comeRound(afterMs: number): void {
    timer = setTimeout(() => {
      running = round();
    }, afterMs).unref();
  }

  return {
    wake() {
      isWoken = true;
      if (!isResting) return;
      isResting = false;
      clearTimeout(timer);
      comeRound(everyMs);
    },
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
