import { type Document, type Model, type Query, type Schema, Types } from 'mongoose';
import { batched } from './batcher.ts';
import { perServer } from './scope.ts';

/** What another process changed is seen after so long at the latest; what this one changed, at once. */
const KEPT_MS = 1_000;
const KEPT_MAX = 20_000;
/** That something changed is remembered for longer than any read can take. */
const CHANGE_KEPT_MS = 15_000;

interface Stored {
  _id: Types.ObjectId;
}

interface Entry<Doc> {
  /** null: changed, and not read since */
  doc: Doc | null;
  /** By the clock of `performance.now` */
  until: number;
}

/** Documents of one collection that were read lately, by the hex of their ids. Whoever gets one must not change it. */
export interface DocumentCache<Doc> {
  /** The document as it is kept; undefined: it has to be read. */
  get(id: string): Doc | undefined;
  /** Begins a read: what it gives is kept, unless it has changed meanwhile (without ids: unless anything has). */
  reading(ids?: string[]): (docs: Doc[]) => void;
  /** As it is kept, else as the store has it; null: it is not there. */
  find(id: string): Promise<Doc | null>;
  /** After a write that the schema does not see: what it made of a kept document; null: not known. */
  replace(before: Doc, after: Doc | null): void;
  /** After a change that the schema does not see. */
  forget(id: string): void;
}

/**
 * Keeps what is read of a collection for a moment, for each server by itself: the same few documents are needed for each
 * message. Every write through the schema's model drops what it touches before its answer arrives, so that a revocation
 * holds at once.
 * @param schema before a model is made of it
 * @param model the model that is made of it then
 */
export function createDocumentCache<Doc extends Stored>(
  schema: Schema<Doc>,
  model: () => Model<Doc>,
): DocumentCache<Doc> {
  const own = perServer(() => createEntries(model));
  const writes = /^(updateOne|updateMany|findOneAnd\w+|replaceOne|deleteOne|deleteMany)$/;
  const byQuery = function (this: Query<unknown, Doc>) {
    own().touched(this.getFilter()._id);
  };
  const byDocument = function (this: Document) {
    own().touched(this._id);
  };
  // Before as well: a write whose answer is lost may have happened all the same.
  schema.pre(writes, { document: false, query: true }, byQuery);
  schema.post(writes, { document: false, query: true }, byQuery);
  schema.post('save', byDocument);

  return {
    get: (id) => own().get(id),
    reading: (ids) => own().reading(ids),
    find: (id) => own().find(id),
    replace: (before, after) => own().replace(before, after),
    forget: (id) => own().forget(id),
  };
}

/** What one server keeps. */
interface Entries<Doc> extends DocumentCache<Doc> {
  /** After a write to the document with this id; anything else than an id: to whichever. */
  touched(id: unknown): void;
}

function createEntries<Doc extends Stored>(model: () => Model<Doc>): Entries<Doc> {
  const entries = new Map<string, Entry<Doc>>();
  /** Reads under way that nothing has changed since they began: whoever asks meanwhile shares them. */
  const reads = new Map<string, Promise<Doc | null>>();
  let cleared = 0;
  let forgotten = 0;
  let timer: NodeJS.Timeout | undefined;

  function get(id: string): Doc | undefined {
    const entry = entries.get(id);
    return entry && performance.now() < entry.until ? (entry.doc ?? undefined) : undefined;
  }

  function set(id: string, doc: Doc | null): void {
    if (entries.size >= KEPT_MAX) clear();
    // To the end, so that the oldest come first.
    entries.delete(id);
    entries.set(id, { doc, until: performance.now() + (doc ? KEPT_MS : CHANGE_KEPT_MS) });
    timer ??= setInterval(sweep, KEPT_MS).unref();
  }

  function sweep(): void {
    const now = performance.now();
    for (const [id, { until }] of entries) {
      if (until > now) return;
      entries.delete(id);
    }
    clearInterval(timer);
    timer = undefined;
  }

  function clear(): void {
    cleared++;
    entries.clear();
    reads.clear();
  }

  function forget(id: string): void {
    forgotten++;
    reads.delete(id);
    set(id, null);
  }

  function reading(ids?: string[]): (docs: Doc[]) => void {
    const [clearedBefore, forgottenBefore] = [cleared, forgotten];
    const before = ids && new Map(ids.map((id) => [id, entries.get(id)]));
    const isSame = (id: string) => (before ? entries.get(id) === before.get(id) : forgotten === forgottenBefore);
    return (docs) => {
      for (const doc of docs) {
        const id = doc._id.toHexString();
        if (cleared === clearedBefore && isSame(id)) set(id, doc);
      }
    };
  }

  function replace(before: Doc, after: Doc | null): void {
    const id = before._id.toHexString();
    const isAsBefore = entries.get(id)?.doc === before;
    forget(id);
    if (after && isAsBefore) set(id, after);
  }

  const load = batched(async (asked: string[]) => {
    const ids = [...new Set(asked)];
    const keep = reading(ids);
    const filter = { _id: { $in: ids.map((id) => Types.ObjectId.createFromHexString(id)) } };
    const docs = await model().collection.find<Doc>(filter).toArray();
    keep(docs);
    const found = new Map(docs.map((doc) => [doc._id.toHexString(), doc]));
    return (id) => found.get(id) ?? null;
  });

  function read(id: string): Promise<Doc | null> {
    const begun = load(id).finally(() => {
      if (reads.get(id) === begun) reads.delete(id);
    });
    reads.set(id, begun);
    return begun;
  }

  function touched(id: unknown): void {
    const hex = String(id).toLowerCase();
    if (/^[0-9a-f]{24}$/.test(hex)) forget(hex);
    else clear();
  }

  return {
    get,
    reading,
    replace,
    forget,
    touched,
    async find(id) {
      const hex = id.toLowerCase();
      return get(hex) ?? reads.get(hex) ?? read(hex);
    },
  };
}
