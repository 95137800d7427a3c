/**
 * At most this many batches run at the same time. The store syncs all that have arrived together, so an item waits for one
 * sync more if its batch is held back here; without a bound, batches of one item would cost more than they share.
 */
const RUNNING_MAX = 4;
const BATCH_MAX = 200;
/** A token bucket: after a quiet time, this many batches may start without waiting for `everyMs`. */
const BURST = 20;

/** Processes all items of a batch. @returns a function that gives the result of each item, or throws for this item only */
type Work<Item, Result> = (items: Item[]) => Promise<(item: Item) => Result>;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Groups calls into batches: items requested in the same turn of the event loop, or while earlier batches run, share one
 * `work`.
 * @param everyMs under load, batches start at least this many milliseconds apart; items that arrive meanwhile share the cost
 * @returns a function that requests one item; its promise rejects when `work` fails
 */
export function batched<Item, Result>(work: Work<Item, Result>, everyMs = 0): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;
  /** The start time of the next batch at an even pace, as if no burst had been used. */
  let due = 0;

  function schedule(): void {
    if (isScheduled || running === RUNNING_MAX || waiting.length === 0) return;
    isScheduled = true;
    const wait = due - (BURST - 1) * everyMs - performance.now();
    if (wait > 0) setTimeout(begin, wait);
    else setImmediate(begin);
  }

  function begin(): void {
    isScheduled = false;
    due = Math.max(due, performance.now()) + everyMs;
    running++;
    void run(waiting.splice(0, BATCH_MAX)).finally(() => {
      running--;
      schedule();
    });
    schedule();
  }

  async function run(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const outcome = await work(batch.map(({ item }) => item));
      for (const { item, resolve, reject } of batch) {
        try {
          resolve(outcome(item));
        } catch (error) {
          reject(error);
        }
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
