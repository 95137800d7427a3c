import { perServer } from './scope.ts';

/** So many batches may be under way at once: while one is made durable, the next is on its way. */
const RUNNING_MAX = 2;
const BATCH_MAX = 200;
/** After a calm, so many batches go at once, whatever the pace. */
const BURST = 20;

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Has done at once what a server is asked for in the same turn of the event loop, or while earlier batches are under way.
 * @param everyMs while much is asked for, batches begin no closer together: what comes meanwhile shares their cost
 * @returns asks for one item; fails when `work` does
 */
export function batched<Item, Result>(work: Work<Item, Result>, everyMs = 0): (item: Item) => Promise<Result> {
  const own = perServer(() => createBatches(work, everyMs));
  return (item) => own()(item);
}

/** Does something for all items; gives the function that tells what became of each. */
type Work<Item, Result> = (items: Item[]) => Promise<(item: Item) => Result>;

function createBatches<Item, Result>(work: Work<Item, Result>, everyMs: number): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isScheduled = false;
  /** When the next batch would begin if none had come sooner than the pace has it. */
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
      for (const { item, resolve } of batch) resolve(outcome(item));
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
