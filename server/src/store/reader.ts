import mongoose from 'mongoose';
import { type Doc, decode } from './bson/values.ts';
import { idKey } from './collection.ts';
import { documentSpace } from './entries.ts';
import { parseFilter } from './query/filter.ts';
import { type Planned, planQuery } from './query/planner.ts';
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
  findByIds<Doc>(collection: string, ids: (mongoose.Types.ObjectId | string)[]): Doc[] | undefined;
  /**
   * Counts the documents of a filter by the keys of an index alone, as up to date as `findByIds`; undefined: no index is enough
   * for that.
   */
  count(collection: string, filter: Doc): number | undefined;
  close(): Promise<void>;
}

/** What a collection's record says. */
interface Recorded extends Planned {
  record: Buffer;
}

const EMPTY = Buffer.alloc(0);

/**
 * Opens the file of a store that runs in another thread of this process: LMDB's readers need neither its locks nor its thread,
 * while a command crosses a socket and two event loops.
 */
export function openReader(folder: string): StoreReader {
  const file = openFile(folder, { readOnly: true });
  const trees = new Map<string, Db>();
  const documents = new Map<string, Db>();
  const collections = new Map<string, Recorded>();

  function openOnce(space: Buffer): Db | undefined {
    const name = space.toString('hex');
    const tree = trees.get(name) ?? openTree(file, space);
    if (tree) trees.set(name, tree);
    return tree;
  }

  function treeOf(collection: string): Db | undefined {
    const opened = documents.get(collection);
    if (opened) return opened;
    const id = collectionId(collection, (key) => file.getBinary(key));
    const tree = id === undefined ? undefined : openOnce(documentSpace(id));
    if (tree) documents.set(collection, tree);
    return tree;
  }

  /** Indexes come and go, so the record is read each time, and decoded only when it has changed: decoding takes longer than all the rest. */
  function recorded(collection: string): Recorded | undefined {
    const record = file.getBinary(recordKey(collection));
    const cached = collections.get(collection);
    if (!record || cached?.record.equals(record)) return record && cached;
    const { indexes, cutIds } = decode(record);
    const complete = (indexes as Doc[]).map(readIndex).filter(({ building }) => !building);
    // In a tree of its own, nothing is before a key.
    const read = { record, complete, cutIds: cutIds === true, documentSpace: () => EMPTY, indexSpace: () => EMPTY };
    collections.set(collection, read);
    return read;
  }

  return {
    findByIds<Doc>(collection: string, ids: (mongoose.Types.ObjectId | string)[]) {
      // Within a turn of the event loop, reads would go on seeing what the first one saw.
      file.resetReadTxn();
      const tree = treeOf(collection);
      if (!tree) return undefined;
      return ids.flatMap((id) => {
        const raw = tree.getBinary(idKey(id));
        return raw ? [mongoose.mongo.BSON.deserialize(raw) as Doc] : [];
      });
    },
    count(collection, filter) {
      file.resetReadTxn();
      const current = recorded(collection);
      if (!current) return 0;
      const { index, ranges, exact, bounded, union } = planQuery(current, parseFilter(filter), [], 0);
      if (!exact || !bounded || union) return undefined;
      const tree = index ? openOnce(index.space) : treeOf(collection);
      // Without one, it never had an entry.
      return tree ? ranges.reduce((sum, { start, end }) => sum + tree.getKeysCount({ start, end }), 0) : 0;
    },
    close: () => file.close(),
  };
}
