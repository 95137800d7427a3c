import type { Model, QueryFilter } from 'mongoose';

/** So many documents go with one command: far from the silence after which the store counts as gone, on any machine. */
const BATCH = 500;

/**
 * Deletes all documents that match, batch by batch, until none is left or the signal says stop: one command over all of
 * them would take as long as there are many, and would be given up halfway. The filter has to be carried by an index.
 * @param batch fewer at once where one document has many index entries
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
