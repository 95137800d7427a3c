import { type mongo, Types } from 'mongoose';
import { connection, deleteInBatches, findByIds } from '#platform/database';
import { duplicateKey } from '#platform/http';
import { type BatchDoc, BatchModel, CountedModel, FigureModel, type Growth } from './model.ts';
import type { Counted } from './tally.ts';

/** Increase it when other figures are counted: the next start then counts all chats again. */
const VERSION = 6;
const NEWEST = 'newest';
/** Less than the id of any chat. */
const NO_CHAT = new Types.ObjectId('0'.repeat(24));

/**
 * The changes of one batch.
 *
 * A batch changes figures and, by the same amounts, what is counted of each chat. These are several documents, so it is
 * stored as a whole before (write-ahead log), under the number after the newest one's. That write is guarded by the newest
 * number, so of several processes one is first, and the others begin again. Every document that a batch changes keeps the
 * batch's number, and refuses a batch whose number it has or has passed. So a batch can be applied again after a crash, or
 * by two processes at once, and counts once.
 */
export type Batch = Pick<BatchDoc, 'growths' | 'counted' | 'gone' | 'recountedTo'>;

/** The number of the last batch that this process knows to be applied. */
let newestApplied = 0;
connection.on('close', () => {
  newestApplied = 0;
});

/**
 * Finishes what an earlier process left of the newest batch.
 * @returns the newest batch, fully applied (unless it is of a later version): what is read from now on includes it
 */
export async function finishNewest(): Promise<BatchDoc> {
  for (;;) {
    const newest = await BatchModel.findById(NEWEST).lean<BatchDoc>();
    if (newest === null || newest.version < VERSION) await begin(newest);
    else if (isOfLaterVersion(newest)) return newest;
    else if (!newest.isCleared) await clearBefore(newest);
    else {
      if (newest.number !== newestApplied) await apply(newest);
      return newest;
    }
  }
}

/** During a rolling update, nodes of the later version count, and this one does not. */
export const isOfLaterVersion = ({ version }: Pick<BatchDoc, 'version'>) => version > VERSION;

/** Whether this version has counted all chats, and this process knows of no batch that may be unfinished. */
export async function isComplete(): Promise<boolean> {
  const [newest] = await findByIds<BatchDoc>(BatchModel.collection.name, [NEWEST]);
  return newest?.version === VERSION && newest.recountedTo === null && newest.number === newestApplied;
}

/**
 * Stores a batch and applies it.
 * @param newest the newest batch, which was applied before what this batch is based on was read
 * @returns false: another process has stored one since, so this one is based on old values and must be made again
 */
export async function addBatch(newest: BatchDoc, batch: Batch): Promise<boolean> {
  const number = newest.number + 1;
  const { matchedCount } = await BatchModel.updateOne(
    { _id: NEWEST, number: newest.number },
    { $set: { ...batch, number } },
  );
  if (matchedCount === 0) return false;
  await apply({ ...newest, ...batch, number });
  return true;
}

/** Begins to count everything anew. Times as numbers: larger than the numbers of all batches of earlier versions. */
async function begin(newest: BatchDoc | null): Promise<void> {
  const number = Math.max(Date.now(), (newest?.number ?? 0) + 1);
  const empty = { growths: [], counted: [], gone: [], isCleared: false, recountedTo: NO_CHAT };
  const restarted = { ...empty, version: VERSION, number, since: number };
  try {
    await BatchModel.updateOne(
      { _id: NEWEST, number: newest?.number ?? -1 },
      { $set: restarted },
      { upsert: newest === null },
    );
  } catch (error) {
    if (!duplicateKey(error)) throw error;
  }
}

/** Removes the figures of earlier versions. The filter spares figures of this version, so a second process may run it late. */
async function clearBefore({ number, since }: BatchDoc): Promise<void> {
  const old = { applied: { $not: { $gte: since } } };
  await deleteInBatches(FigureModel, old);
  await deleteInBatches(CountedModel, old);
  await BatchModel.updateOne({ _id: NEWEST, number }, { $set: { isCleared: true } });
}

async function apply({ number, growths, counted, gone }: BatchDoc): Promise<void> {
  await Promise.all([
    upsertOnce(
      FigureModel,
      growths.map((growth) => figureWrite(growth, number)),
    ),
    upsertOnce(
      CountedModel,
      counted.map((chat) => countedWrite(chat, number)),
    ),
    gone.length > 0 &&
      CountedModel.updateMany(
        { _id: { $in: gone }, applied: { $lt: number } },
        { $set: { applied: number }, $currentDate: { goneAt: true } },
      ),
  ]);
  newestApplied = number;
}

/** An upsert of the document with this key, refused by a document that includes the batch. */
interface Write {
  key: mongo.Document;
  update: mongo.Document;
  number: number;
}

function figureWrite({ site, day, by }: Growth, number: number): Write {
  const $inc = Object.fromEntries(by.map(({ figure, more }) => [figure, more]));
  return { key: { site, day }, update: { $inc, $set: { applied: number } }, number };
}

function countedWrite({ _id, ...counted }: Counted, number: number): Write {
  return { key: { _id }, update: { $set: { ...counted, applied: number }, $unset: { goneAt: 1 } }, number };
}

/**
 * Applies writes to documents that do not include them yet. A document that does is not matched, and the upsert's attempt to
 * insert another one under the same key is refused: that is the usual outcome of a second try.
 */
async function upsertOnce(model: typeof FigureModel | typeof CountedModel, writes: Write[]): Promise<void> {
  if (writes.length === 0) return;
  const upserts = writes.map(({ key, update, number }) => ({
    updateOne: { filter: { ...key, applied: { $lt: number } }, update, upsert: true },
  }));
  try {
    await model.collection.bulkWrite(upserts as never, { ordered: false });
  } catch (error) {
    const included = duplicateKey(error) && (await model.collection.countDocuments(includedIn(writes)));
    // Something else was refused, or another process has just inserted the document: to be tried again.
    if (included !== writes.length) throw error;
  }
}

const includedIn = (writes: Write[]) => ({
  $or: writes.map(({ key, number }) => ({ ...key, applied: { $gte: number } })),
});
