import { remove } from './commands/update.ts';
import type { Engine } from './engine.ts';
import type { Queue } from './queue.ts';

/** How often documents are looked for whose time is over. */
const EXPIRY_INTERVAL_MS = 60_000;

/** Removes what TTL indexes say is over, and forgets idle cursors, once a minute. Gives the function that ends it. */
export function startExpiry(engine: Engine, queue: Queue): () => void {
  const timer = setInterval(() => {
    expire(engine, queue);
    engine.cursors.sweep(Date.now());
  }, EXPIRY_INTERVAL_MS);
  return () => clearInterval(timer);
}

/** Queues a delete for every TTL index: it runs like any other command, in slices. */
export function expire(engine: Engine, queue: Queue): void {
  for (const collection of engine.catalogue.all()) {
    for (const { fields, expireAfterSeconds } of collection.indexes) {
      const [field] = fields;
      if (expireAfterSeconds === undefined || !field) continue;
      const before = new Date(engine.now().getTime() - expireAfterSeconds * 1000);
      const deletes = [{ q: { [field.path]: { $lt: before } }, limit: 0 }];
      const body = { delete: collection.name, deletes };
      const steps = remove.run({ engine, db: collection.db, name: 'delete', body, documents: undefined });
      queue.add({
        writes: true,
        steps,
        again: undefined,
        until: Number.POSITIVE_INFINITY,
        answer: () => {},
        gone: () => false,
      });
    }
  }
}
