import type { mongo } from 'mongoose';

/** What a step works with. */
export interface StepContext {
  /**
   * The database itself: models are of the newest code and change, while a step is finished when it is released. Batches of
   * some hundred documents, found by what they lack, make a step resumable.
   */
  db: mongo.Db;
  /** Encrypts a secret with `DATA_KEY`, as `SecretBox` does. */
  seal(text: string, owner: string): string;
  /** Logs how far a step is that takes long. */
  log(sentence: string): void;
}

/**
 * One change of the stored data, in a file of its own (`0002-what-it-does.ts`), listed last in `steps.ts`. Both parts are
 * idempotent and resumable: a process may be killed anywhere in them, and then they run again from their beginning. On data
 * that is new they never run.
 */
export interface Step {
  /** The version of the data after it: one more than that of the step before. */
  version: number;
  /** What it does, in a few words: for the log and the record in the database. */
  name: string;
  /**
   * Runs before this code serves anything, while nodes of the last release may still read and write: it only adds what they
   * do not mind. What they go on writing in the old form is left to `after`.
   */
  before?(context: StepContext): Promise<void>;
  /**
   * Runs when no node of an earlier version is left: it brings what those have written since, and removes what only they
   * need, as fields and indexes. From its beginning on, code of an earlier version refuses the data. Without it, such code may
   * come back, so this code has to understand forever what that writes.
   */
  after?(context: StepContext): Promise<void>;
}

const NO_SUCH_COLLECTION = 26;
const NO_SUCH_INDEX = 27;

/** Drops indexes that no code uses any more, by collection and name, for the `after` of a step: old nodes may name them. */
export async function dropIndexes({ db }: StepContext, names: Record<string, string[]>): Promise<void> {
  for (const [collection, indexes] of Object.entries(names)) {
    for (const index of indexes) await dropIndex(db.collection(collection), index);
  }
}

/** Drops an index if it exists. */
export async function dropIndex(collection: mongo.Collection, name: string): Promise<void> {
  await collection.dropIndex(name).catch((error) => {
    if (error.code !== NO_SUCH_INDEX && error.code !== NO_SUCH_COLLECTION) throw error;
  });
}
