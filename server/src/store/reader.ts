import mongoose from 'mongoose';
import { afterPrefix, valueKey } from './bson/keys.ts';
import { type Doc, decode } from './bson/values.ts';
import { idKey } from './collection.ts';
import { documentSpace } from './entries.ts';
import { collectionId, readIndex, recordKey } from './records.ts';
import { type Db, openFile, openTree } from './storage/trees.ts';

/** Reads documents of a running store straight from its file. */
export interface StoreReader {
  /**
   * Reads documents by their ids, as the last transaction that is on the disk has left them; so a reader sees every write that
   * was answered.
   * @param collection with the name of its database in front
   * @returns those that exist, in the order of the ids; undefined: the collection never had a document
   */
  findByIds<Doc>(collection: string, ids: mongoose.Types.ObjectId[]): Doc[] | undefined;
  /**
   * Whether any document has one of these ids in a field, as up to date as `findByIds`; undefined: no index begins with the
   * field.
   */
  hasAny(collection: string, field: string, ids: mongoose.Types.ObjectId[]): boolean | undefined;
  close(): Promise<void>;
}

/** The record of a collection, and the spaces of its indexes that say for every value of their first field who has it. */
interface Indexes {
  record: Buffer;
  byField: Map<string, Buffer>;
}

/**
 * Opens the file of a store that runs in another thread of this process: LMDB's readers need neither its locks nor its thread,
 * while a command crosses a socket and two event loops.
 */
export function openReader(folder: string): StoreReader {
  const file = openFile(folder, { readOnly: true });
  const trees = new Map<string, Db>();
  const documents = new Map<string, Db>();
  const indexes = new Map<string, Indexes>();

  function openOnce(space: Buffer): Db | undefined {
    const name = space.toString('hex');
    const tree = trees.get(name) ?? openTree(file, space);
    if (tree) trees.set(name, tree);
    return tree;
  }

  function treeOf(collection: string): Db | undefined {
    const known = documents.get(collection);
    if (known) return known;
    const id = collectionId(collection, (key) => file.getBinary(key));
    const tree = id === undefined ? undefined : openOnce(documentSpace(id));
    if (tree) documents.set(collection, tree);
    return tree;
  }

  /** Indexes come and go, so the record is looked at each time; decoding it takes longer than all the rest. */
  function indexSpaceOf(collection: string, field: string): Buffer | undefined {
    const record = file.getBinary(recordKey(collection));
    if (!record) return undefined;
    const known = indexes.get(collection);
    if (known?.record.equals(record)) return known.byField.get(field);
    const all = (decode(record).indexes as Doc[]).map(readIndex);
    const whole = all.filter(({ fields, partial, building }) => !partial && !building && !fields[0]?.descending);
    const byField = new Map(whole.map(({ fields, space }) => [fields[0]?.path ?? '', space]));
    indexes.set(collection, { record, byField });
    return byField.get(field);
  }

  return {
    findByIds<Doc>(collection: string, ids: mongoose.Types.ObjectId[]) {
      // Within a turn of the event loop, reads would go on seeing what the first one saw.
      file.resetReadTxn();
      const tree = treeOf(collection);
      if (!tree) return undefined;
      return ids.flatMap((id) => {
        const raw = tree.getBinary(idKey(id));
        return raw ? [mongoose.mongo.BSON.deserialize(raw) as Doc] : [];
      });
    },
    hasAny(collection, field, ids) {
      file.resetReadTxn();
      const space = indexSpaceOf(collection, field);
      if (!space) return undefined;
      const tree = openOnce(space);
      // Without one, it never had an entry.
      if (!tree) return false;
      return ids.some((id) => {
        const start = valueKey(id);
        return [...tree.getKeys({ start, end: afterPrefix(start), limit: 1, snapshot: false })].length > 0;
      });
    },
    close: () => file.close(),
  };
}
