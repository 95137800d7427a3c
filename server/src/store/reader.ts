import mongoose from 'mongoose';
import { idKey } from './collection.ts';
import { documentSpace } from './entries.ts';
import { collectionId } from './records.ts';
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
  close(): Promise<void>;
}

/**
 * Opens the file of a store that runs in another thread of this process: LMDB's readers need neither its locks nor its thread,
 * while a command crosses a socket and two event loops.
 */
export function openReader(folder: string): StoreReader {
  const file = openFile(folder, { readOnly: true });
  const trees = new Map<string, Db>();

  function treeOf(collection: string): Db | undefined {
    const known = trees.get(collection);
    if (known) return known;
    const id = collectionId(collection, (key) => file.getBinary(key));
    if (id === undefined) return undefined;
    const tree = openTree(file, documentSpace(id));
    if (tree) trees.set(collection, tree);
    return tree;
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
    close: () => file.close(),
  };
}
