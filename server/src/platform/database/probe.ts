import mongoose, { type mongo } from 'mongoose';
import { StoreError } from '#store';
import { throughPrimaryChange } from './connection.ts';
import { DUPLICATE_KEY, isBusy, OUT_OF_DISK_SPACE } from './failures.ts';
import { addressOf, reach, refusalOf } from './reach.ts';

const { MongoServerError, ObjectId } = mongoose.mongo;

/** Partial indexes that have the same key are new in 5.0. */
const OLDEST_MAJOR = 5;
const AT_ONCE = 4;
const DELETES = 3;
/** Nobody reads it, and a start that is killed leaves it: after this time, the next one drops it. */
const KEPT_S = 3_600;
const PREFIX = 'probe_';

/** A collection to try things in, and the database it is in. */
interface Trial {
  client: mongo.MongoClient;
  db: mongo.Db;
  name: string;
}

/**
 * Tries on the operator's database what Parley relies on, in a collection of its own, and says what is missing. What cannot be
 * tried, because the disk is full or the primary changes, does not stop a start.
 * @param log receives a sentence about what is only different
 * @throws StoreError with a sentence for the operator
 */
export async function probeDatabase(
  uri: string,
  options: mongo.MongoClientOptions,
  log: (sentence: string) => void,
): Promise<void> {
  const client = await reach(uri, { ...options, maxPoolSize: AT_ONCE });
  try {
    const differences = await throughPrimaryChange(() => tryAll(client));
    if (differences.length > 0)
      log(`The database at ${addressOf(client)} differs from MongoDB: ${differences.join('; ')}.`);
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const refusal = refusalOf(client, error);
    if (refusal !== null) throw new StoreError(refusal, { cause: error });
    log(`Whether the database has all that Parley needs could not be tried: ${messageOf(error)}`);
  } finally {
    await client.close();
  }
}

/** @returns what is only different */
async function tryAll(client: mongo.MongoClient): Promise<string[]> {
  const db = client.db();
  const { version } = await db.command({ buildInfo: 1 });
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    throw new StoreError(
      `The database at ${addressOf(client)} has version ${version}. Parley needs MongoDB ${OLDEST_MAJOR}.0 or newer.`,
    );
  await dropLeft(db);
  const trial = { client, db, name: PREFIX + new ObjectId().toHexString() };
  try {
    await tryIndexes(trial);
    return [...(await tryUnique(trial)), ...(await tryOrder(trial)), ...(await tryDeletes(trial))];
  } finally {
    await db.dropCollection(trial.name).catch(() => {});
  }
}

async function dropLeft(db: mongo.Db): Promise<void> {
  const listed = await db.listCollections({}, { nameOnly: true }).toArray();
  for (const { name } of listed) {
    const id = name.slice(PREFIX.length);
    if (!name.startsWith(PREFIX) || !ObjectId.isValid(id)) continue;
    if (ObjectId.createFromHexString(id).getTimestamp().getTime() < Date.now() - KEPT_S * 1_000)
      await db.dropCollection(name).catch(() => {});
  }
}

async function tryIndexes({ client, db, name }: Trial): Promise<void> {
  const [open, key] = [{ open: true }, { n: 1 }] as const;
  const wanted = {
    'a partial unique index': { key, name: 'unique', unique: true, partialFilterExpression: open },
    'several partial indexes with the same key': { key, name: 'same', partialFilterExpression: { is: true } },
    'an index by which documents expire': { key: { at: 1 }, name: 'expiry', expireAfterSeconds: KEPT_S },
  };
  for (const [what, index] of Object.entries(wanted))
    await db.command({ createIndexes: name, indexes: [index] }).catch((error) => {
      const isRefusal = error instanceof MongoServerError && refusalOf(client, error) === null;
      // A full disk and a change of the primary say nothing about the index.
      if (!isRefusal || error.code === OUT_OF_DISK_SPACE || isBusy(error)) throw error;
      throw lacks(client, what, error.message);
    });
}

const lacks = (client: mongo.MongoClient, what: string, why: string) =>
  new StoreError(`The database at ${addressOf(client)} lacks what Parley needs, ${what}: ${why}`);

async function tryUnique({ client, db, name }: Trial): Promise<string[]> {
  const documents = [{ n: 1, open: true }, { n: 1, open: true }, { n: 1 }, { n: 1 }];
  const answer = await db.command({ insert: name, documents, ordered: false });
  const [refused, ...others] = answer.writeErrors ?? [];
  if (refused?.code !== DUPLICATE_KEY || others.length > 0)
    throw lacks(client, 'a partial unique index', `it refuses ${refused ? 'with another error' : 'nothing'}.`);
  return refused.keyPattern ? [] : ['it does not say which unique index refused a write'];
}

async function tryOrder({ db, name }: Trial): Promise<string[]> {
  await db.command({ insert: name, documents: [{ n: 12 }, { n: 11 }, { n: 13 }].map((one) => ({ ...one, is: true })) });
  const { cursor } = await db.command({ find: name, filter: { n: { $gt: 10 }, is: true }, hint: 'same' });
  const found = cursor.firstBatch.map(({ n }: { n: number }) => n);
  return String(found) === '11,12,13' ? [] : ['it does not read in the order of the index that it is told to use'];
}

async function tryDeletes({ db, name }: Trial): Promise<string[]> {
  const trial = db.collection<{ _id: number; n: number }>(name);
  const ids = Array.from({ length: DELETES }, (_, _id) => _id);
  await db.command({ insert: name, documents: ids.map((_id) => ({ _id, n: 0 })) });
  for (const _id of ids) {
    const update = () => trial.updateOne({ _id }, { $inc: { n: 1 } });
    await Promise.all([update(), update(), trial.deleteOne({ _id }), update()]);
  }
  const left = await trial.countDocuments({ _id: { $in: ids } });
  return left === 0 ? [] : ['a deletion beside an update of the same document may delete nothing'];
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
