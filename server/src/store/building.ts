import { afterPrefix } from './bson/keys.ts';
import { decode } from './bson/values.ts';
import type { CollectionRef } from './catalogue.ts';
import { keyAfter } from './collection.ts';
import type { Steps } from './commands/call.ts';
import type { Engine } from './engine.ts';

/** How many documents one step adds to an index. */
const DOCUMENTS_PER_STEP = 32;
/** How many keys one step removes of a dropped collection or index. */
const KEYS_PER_STEP = 128;

/**
 * Fills indexes from the documents, step by step, while other commands read and write. Writes maintain an index from the
 * moment it is begun, but queries do not use it until it is complete. Adding an entry is idempotent, so it does not matter
 * if a write has added it before. If one document is refused, all of these indexes are removed.
 */
export function* buildIndexes(engine: Engine, ref: CollectionRef, ids: number[]): Steps<void> {
  for (const id of ids) engine.builds.add(id);
  try {
    yield* fill(engine, ref, ids);
    const collection = engine.catalogue.same(ref);
    for (const id of ids) collection.index(id).building = false;
    collection.changed = true;
  } finally {
    for (const id of ids) engine.builds.delete(id);
  }
}

function* fill({ storage, catalogue, sliceWork }: Engine, ref: CollectionRef, ids: number[]): Steps<void> {
  const limit = sliceWork === 0 ? 1 : DOCUMENTS_PER_STEP;
  const space = catalogue.same(ref).documentSpace();
  const range = { start: space, end: afterPrefix(space), backwards: false };
  for (;;) {
    const collection = catalogue.same(ref);
    const indexes = ids.map((id) => collection.index(id));
    const entries = storage.entries(range, limit);
    try {
      for (const { value } of entries) collection.indexDocument(indexes, decode(value));
    } catch (error) {
      for (const index of indexes) catalogue.dropIndex(collection, index);
      throw error;
    }
    const last = entries.at(-1);
    if (!last || entries.length < limit) return;
    range.start = keyAfter(last.key);
    yield;
  }
}

/** Continues index builds that an earlier process or command left unfinished and that no running command continues. */
export function* resumeBuilds(engine: Engine): Steps<void> {
  for (const ref of [...engine.catalogue.all()].map(({ ns, id }) => ({ ns, id }))) {
    const collection = engine.catalogue.get(ref.ns);
    const left = collection?.indexes.filter(({ id, building }) => building && !engine.builds.has(id)) ?? [];
    if (left.length > 0) yield* buildIndexes(engine, ref, idsOf(left));
  }
}

const idsOf = (all: { id: number }[]) => all.map(({ id }) => id);

/** Removes the data of dropped collections and indexes. No query can reach it any more; it only takes space. */
export function* sweepDropped({ storage, catalogue, sliceWork }: Engine): Steps<void> {
  const limit = sliceWork === 0 ? 1 : KEYS_PER_STEP;
  for (let space = catalogue.nextDropped(); space; space = catalogue.nextDropped()) {
    const keys = storage.keys({ start: space, end: afterPrefix(space), backwards: false }, limit);
    for (const key of keys) storage.remove(key);
    if (keys.length < limit) catalogue.forgetDropped(space);
    yield;
  }
}
