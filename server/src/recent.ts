import type { Document, Query, Schema, Types } from 'mongoose';

/** What another process changed is seen after so long at the latest; what this one changed, at once. */
const KEPT_MS = 1_000;
const KEPT_MAX = 20_000;

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
export interface Recent<Doc> {
  /** The document as it is kept; undefined: it has to be read. */
  get(id: string): Doc | undefined;
  /** Begins a read: what it gives is kept, unless the document has changed meanwhile. */
  reading(ids: string[]): (docs: Doc[]) => void;
  /** As it is kept, else as `load` reads it. */
  find(id: string, load: () => Promise<Doc | null>): Promise<Doc | null>;
  /** After a write that the schema does not see. */
  forget(id: string): void;
}

/**
 * Keeps what is read of a collection for a moment: the same few documents are needed for each message. Every write through
 * the schema's model drops what it touches before its answer arrives, so that a revocation holds at once.
 * @param schema before a model is made of it
 */
export function createRecent<Doc extends Stored>(schema: Schema<Doc>): Recent<Doc> {
  const entries = new Map<string, Entry<Doc>>();
  let cleared = 0;

  function get(id: string): Doc | undefined {
    const entry = entries.get(id);
    return entry && performance.now() < entry.until ? (entry.doc ?? undefined) : undefined;
  }

  function set(id: string, doc: Doc | null, until: number): void {
    if (entries.size >= KEPT_MAX) clear();
    entries.set(id, { doc, until });
  }

  function clear(): void {
    cleared++;
    entries.clear();
  }

  const forget = (id: string) => set(id, null, 0);

  function reading(ids: string[]): (docs: Doc[]) => void {
    const clearedBefore = cleared;
    const before = new Map(ids.map((id) => [id, entries.get(id)]));
    return (docs) => {
      for (const doc of docs) {
        const id = doc._id.toHexString();
        if (cleared !== clearedBefore || entries.get(id) !== before.get(id)) continue;
        set(id, doc, performance.now() + KEPT_MS);
      }
    };
  }

  function touched(id: unknown): void {
    const hex = String(id).toLowerCase();
    if (/^[0-9a-f]{24}$/.test(hex)) forget(hex);
    else clear();
  }

  const writes = /^(updateOne|updateMany|findOneAnd\w+|replaceOne|deleteOne|deleteMany)$/;
  const byQuery = function (this: Query<unknown, Doc>) {
    touched(this.getFilter()._id);
  };
  const byDocument = function (this: Document) {
    touched(this._id);
  };
  // Before as well: a write whose answer is lost may have happened all the same.
  schema.pre(writes, { document: false, query: true }, byQuery);
  schema.post(writes, { document: false, query: true }, byQuery);
  schema.post('save', byDocument);

  return {
    get,
    reading,
    forget,
    async find(id, load) {
      const kept = get(id);
      if (kept) return kept;
      const keep = reading([id]);
      const doc = await load();
      if (doc) keep([doc]);
      return doc;
    },
  };
}
