import type { Model, QueryFilter } from 'mongoose';

/** Documents per command: few enough that a command ends well before the store's silence timeout, on any machine. */
const BATCH = 500;

/**
 * Deletes all matching documents in batches, until none is left or the signal aborts. A single command over all of them
 * takes as long as there are many, and would be cut off by the timeout. An index must cover the filter.
 * @param batch a smaller size, for documents with many index entries
 */
export async function deleteInBatches<Doc extends { _id: unknown }>(
  model: Model<Doc>,
  filter: QueryFilter<Doc>,
  signal?: AbortSignal,
  batch = BATCH,
): Promise<void> {
  while (!signal?.aborted) {
    const found = await model.find(filter, { _id: 1 }).limit(batch).lean<Pick<Doc, '_id'>[]>();
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) await model.deleteMany({ _id: { $in: ids } } as QueryFilter<Doc>);
    if (ids.length < batch) return;
  }
}

/**
 * Deletes the document that a filter names, when it must be gone afterwards. Some databases that speak MongoDB's protocol delete
 * nothing beside an update of the same document, and answer as if there were none, so that answer is not believed unseen.
 * What deletes several documents never misses, but the driver does not send it again when the primary changes.
 * @returns the document, to one caller only; null: there is none
 */
export async function removeOne<Doc>(model: Model<Doc>, filter: QueryFilter<Doc>): Promise<Doc | null> {
  const removed = await model.findOneAndDelete(filter).lean<Doc>();
  if (removed) return removed;
  const left = await model.findOne(filter).lean<Doc>();
  if (!left) return null;
  const { deletedCount } = await model.deleteMany(filter);
  return deletedCount > 0 ? left : null;
}
