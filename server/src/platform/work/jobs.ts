import { type Lease, whileHeld } from '#platform/cluster';

/**
 * A job of the scheduler, which runs at an interval (there is no cron syntax). It works in bounded steps, is idempotent, and ends
 * early when the signal aborts: at a stop, and when the lease is lost.
 */
export type Job = (now: number, signal: AbortSignal) => Promise<void>;

interface Round {
  everyMs: number;
  now: () => number;
  /** Receives an error; the other jobs and the next round continue. */
  failed: (error: unknown) => void;
  /** Whether any work will become due; if not, rounds are rare until `wake` is called. */
  hasUpcomingWork?: () => Promise<boolean>;
  /** Of several nodes, only the one that has it runs the jobs; it begins as soon as it gets it. */
  lease?: Lease | undefined;
}

/**
 * While resting, rounds are this many times rarer. They still find work added by other processes, which cannot call `wake`.
 */
const REST_FACTOR = 30;

/** A running group of jobs. */
interface Jobs {
  /** Returns to the usual interval, because new work will become due. */
  wake(): void;
  /** Stops, once the step in progress is over. */
  stop(): Promise<void>;
}

/**
 * Runs the jobs one after the other, now and then at every interval. While no work is expected they rest, so that an idle
 * process does not wake every second.
 */
export function startJobs(jobs: Job[], { everyMs, now, failed, hasUpcomingWork, lease }: Round): Jobs {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isResting = false;
  /** `wake` was called during a round, which may have checked before the new work existed. */
  let wasWoken = false;
  let running = round();

  async function round(): Promise<void> {
    wasWoken = false;
    if (!lease) await runAll(stopping.signal);
    else if (await lease.take()) await whileHeld(lease, stopping.signal, runAll);
    const mayRest = hasUpcomingWork !== undefined && !(await hasUpcomingWork().catch(() => true));
    if (stopping.signal.aborted) return;
    isResting = mayRest && !wasWoken;
    scheduleRound(isResting ? everyMs * REST_FACTOR : everyMs);
  }

  async function runAll(signal: AbortSignal): Promise<void> {
    for (const job of jobs) if (!signal.aborted) await job(now(), signal).catch(failed);
  }

  function scheduleRound(afterMs: number): void {
    timer = setTimeout(() => {
      running = round();
    }, afterMs).unref();
  }

  const stopListening = lease?.whenTaken(() => {
    clearTimeout(timer);
    running = running.then(() => {
      clearTimeout(timer);
      return stopping.signal.aborted ? undefined : round();
    });
  });

  return {
    wake() {
      wasWoken = true;
      if (!isResting) return;
      isResting = false;
      clearTimeout(timer);
      scheduleRound(everyMs);
    },
    async stop() {
      stopping.abort();
      stopListening?.();
      clearTimeout(timer);
      await running;
    },
  };
}
