import { type Doc, isDoc } from './bson/values.ts';
import type { Collection } from './collection.ts';
import { remove } from './commands/update.ts';
import type { Engine } from './engine.ts';
import type { Index } from './indexes.ts';
import { internalJob, type Queue } from './queue.ts';

/** How often expired documents are looked for. */
const EXPIRY_INTERVAL_MS = 60_000;

/**
 * Removes expired documents of TTL indexes and idle cursors once a minute.
 * @returns a disposer
 */
export function startExpiry(engine: Engine, queue: Queue): () => void {
  const running = new Set<number>();
  const timer = setInterval(() => {
    expire(engine, queue, running);
    engine.cursors.sweep(Date.now());
  }, EXPIRY_INTERVAL_MS);
  return () => clearInterval(timer);
}

/**
 * Queues a delete for every TTL index. It runs like any other command, in slices.
 * @param running the indexes whose delete has not finished; it is not queued a second time
 */
export function expire(engine: Engine, queue: Queue, running = new Set<number>()): void {
  for (const collection of engine.catalogue.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined || index.building || running.has(index.id)) continue;
      running.add(index.id);
      const body = expiryOf(collection, index, index.expireAfterSeconds, engine.now());
      const steps = remove.run({ engine, db: collection.db, name: 'delete', body, documents: undefined });
      queue.add(internalJob(steps, () => running.delete(index.id)));
    }
  }
}

/** The delete command for expired documents; for a partial index, only of documents that are in the index. */
function expiryOf(collection: Collection, { fields, spec }: Index, seconds: number, now: Date): Doc {
  const before = new Date(now.getTime() - seconds * 1000);
  const isOver = Object.fromEntries(fields.map(({ path }) => [path, { $lt: before }]));
  const { partialFilterExpression } = spec;
  const q = isDoc(partialFilterExpression) ? { $and: [partialFilterExpression, isOver] } : isOver;
  return { delete: collection.name, deletes: [{ q, limit: 0 }] };
}
