import { type Document, type Model, type Query, type Schema, Types } from 'mongoose';
import { connection, findByIds, findInFile } from '#platform/database';
import { events } from '#platform/events';
import { batched } from './batcher.ts';

/** A change by another process is seen after this long at the latest; a change by this process at once. */
const KEPT_MS = 1_000;
const KEPT_MAX = 20_000;
/** How long a change is remembered: longer than any read takes, so that a read begun before it cannot store an old value. */
const CHANGE_KEPT_MS = 15_000;
const HEX_ID = /^[0-9a-f]{24}$/;

declare module '#platform/events' {
  interface Events {
    /** Documents of a collection have changed; `ids` null: any of them may have. */
    documentsChanged: { collection: string; ids: string[] | null };
  }
}
events.crossesNodes('documentsChanged');

interface Stored {
  _id: Types.ObjectId;
}

interface Entry<Doc> {
  /** null: changed, and not read since. */
  doc: Doc | null;
  /** Milliseconds on the clock of `performance.now`. */
  until: number;
}

/** A cache of recently read documents of one collection, by hex id. Callers must not modify what they get. */
export interface DocumentCache<Doc> {
  /** The cached document; undefined: it has to be read. */
  get(id: string): Doc | undefined;
  /**
   * Starts a read.
   * @returns a function that caches each document read, unless it changed meanwhile (without ids: unless any document did)
   */
  reading(ids?: string[]): (docs: Doc[]) => void;
  /** The document from the cache or else from the store; null: it does not exist. */
  find(id: string): Promise<Doc | null>;
  /** Replaces a cached document after a write that bypasses the schema's hooks; `after` null: the new value is unknown. */
  replace(before: Doc, after: Doc | null): void;
  /** Invalidates a document after a change that bypasses the schema's hooks. */
  forget(id: string): void;
}

/**
 * Creates a short-lived read cache for one collection: every message needs the same few documents. Every write through the
 * schema's model invalidates its documents before the write is answered, so that a revoked right ends at once.
 * @param schema the schema, before a model is made of it
 * @param model gives the model made of it
 */
export function createDocumentCache<Doc extends Stored>(
  schema: Schema<Doc>,
  model: () => Model<Doc>,
): DocumentCache<Doc> {
  const { touched: forgetHere, ...cache } = createEntries(model);
  const forgetElsewhere = createNews(model);
  const writes = /^(updateOne|updateMany|findOneAnd\w+|replaceOne|deleteOne|deleteMany)$/;
  const touched = (id: unknown) => {
    forgetHere(id);
    if (events.areOthers()) forgetElsewhere(id);
  };
  const byQuery = function (this: Query<unknown, Doc>) {
    touched(this.getFilter()._id);
  };
  const byDocument = function (this: Document) {
    touched(this._id);
  };
  // Invalidated before the write as well: a write whose answer is lost may still have happened.
  schema.pre(writes, { document: false, query: true }, byQuery);
  schema.post(writes, { document: false, query: true }, byQuery);
  schema.post('save', byDocument);

  return cache;
}

/** Tells the other nodes which documents changed, once for all changes of a turn. */
function createNews<Doc extends Stored>(model: () => Model<Doc>): (id: unknown) => void {
  let ids = new Set<string>();
  return (id) => {
    if (ids.size === 0) {
      setImmediate(() => {
        const all = [...ids];
        ids = new Set();
        const isKnown = all.every((one) => HEX_ID.test(one));
        events.emitElsewhere('documentsChanged', { collection: model().collection.name, ids: isKnown ? all : null });
      });
    }
    ids.add(String(id).toLowerCase());
  };
}

/** The cache, and what hooks tell it. */
interface Entries<Doc> extends DocumentCache<Doc> {
  /** Invalidates the document with this id; a filter that is not an id invalidates the whole cache. */
  touched(id: unknown): void;
}

function createEntries<Doc extends Stored>(model: () => Model<Doc>): Entries<Doc> {
  const entries = new Map<string, Entry<Doc>>();
  /** Reads in progress that no change has made stale: concurrent requests share them. */
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
    // Deleted first, so that the entry moves to the end: the map is ordered by age, oldest first.
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

  const load = batched(async (wantedIds: string[]) => {
    const ids = [...new Set(wantedIds)];
    const keep = reading(ids);
    const docs = await findByIds<Doc>(model().collection.name, ids.map(Types.ObjectId.createFromHexString));
    keep(docs);
    const found = new Map(docs.map((doc) => [doc._id.toHexString(), doc]));
    return (id) => found.get(id) ?? null;
  });

  /** Nothing can change between such a read and its entry. */
  function readInFile(id: string): Doc | undefined {
    const doc = findInFile<Doc>(model().collection.name, [Types.ObjectId.createFromHexString(id)])?.[0];
    if (doc) set(id, doc);
    return doc;
  }

  function read(id: string): Promise<Doc | null> {
    const begun = load(id).finally(() => {
      if (reads.get(id) === begun) reads.delete(id);
    });
    reads.set(id, begun);
    return begun;
  }

  function touched(id: unknown): void {
    const hex = String(id).toLowerCase();
    if (HEX_ID.test(hex)) forget(hex);
    else clear();
  }

  connection.on('close', clear);
  events.everywhere('documentsChanged', ({ collection, ids }) => {
    if (collection !== model().collection.name) return;
    if (ids) ids.forEach(forget);
    else clear();
  });

  return {
    get,
    reading,
    replace,
    forget,
    touched,
    async find(id) {
      const hex = id.toLowerCase();
      return get(hex) ?? readInFile(hex) ?? reads.get(hex) ?? read(hex);
    },
  };
}
