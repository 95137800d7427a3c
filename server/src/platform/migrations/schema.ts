import type { mongo } from 'mongoose';
import { StoreError } from '#store';
import type { Step } from './step.ts';
import { oldestOf, STEPS, versionOf } from './steps.ts';

/** What the database says of its own form. Without it, the data is new, or of a version before there were steps: 0. */
export interface SchemaDoc {
  _id: typeof SCHEMA;
  /** Up to this step, the part `before` has run: code of this version may read and write the data. */
  version: number;
  /** Up to this step, both parts have run. */
  completed: number;
  /** Code of an earlier version than this may not touch the data any more. */
  oldestReader: number;
  updatedAt: Date;
  /** What ran on this data, and when. */
  applied: { version: number; name: string; part: 'before' | 'after'; at: Date }[];
}

/** The name of the collection, and the id of its one document. */
export const SCHEMA = 'schema';
const DUPLICATE = 11_000;

/** The collection with the one document. It is no model: it is read before anything is known of the data. */
const schemaOf = (db: mongo.Db): mongo.Collection<SchemaDoc> => db.collection<SchemaDoc>(SCHEMA);

/** The version of stored data. @returns null for an empty database */
export async function readSchema(
  db: mongo.Db,
): Promise<Pick<SchemaDoc, 'version' | 'completed' | 'oldestReader'> | null> {
  const stored = await schemaOf(db).findOne({ _id: SCHEMA });
  if (stored) return stored;
  // Nothing can be stored without an account.
  const account = await db.collection('users').findOne({}, { projection: { _id: 1 } });
  return account && { version: 0, completed: 0, oldestReader: 0 };
}

/**
 * Refuses data that code with these steps may not read or cannot bring up.
 * @throws StoreError with one sentence
 */
export function requireReadable({ version, oldestReader }: Pick<SchemaDoc, 'version' | 'oldestReader'>, steps = STEPS) {
  const [newest, oldest] = [versionOf(steps), oldestOf(steps)];
  if (oldestReader > newest)
    throw new StoreError(
      `The data was written by a newer Parley (data version ${version}, this one knows ${newest}): run that version or a newer one, or restore the backup that was made before the update.`,
    );
  if (version < oldest)
    throw new StoreError(
      `The data is of a Parley too old for this one (data version ${version}, this one needs ${oldest}): versions were skipped, so first start the versions between, one after the other.`,
    );
}

/**
 * Refuses data for a short command, which changes nothing of its form.
 * @throws StoreError with one sentence
 */
export async function requireSchema(db: mongo.Db, steps = STEPS): Promise<void> {
  const schema = await readSchema(db);
  if (!schema) return;
  requireReadable(schema, steps);
  if (schema.version < versionOf(steps))
    throw new StoreError(
      `The data is of an earlier Parley (data version ${schema.version}, this one needs ${versionOf(steps)}): start this version of Parley once, which brings it up.`,
    );
}

/** Enters what the data is, where nothing says so yet: the newest version if it is new. */
export async function enterSchema(db: mongo.Db, steps: Step[]): Promise<void> {
  const version = (await readSchema(db))?.version ?? versionOf(steps);
  const entry = { version, completed: version, oldestReader: version, updatedAt: new Date(), applied: [] };
  await schemaOf(db)
    .updateOne({ _id: SCHEMA }, { $setOnInsert: entry }, { upsert: true })
    .catch((error) => {
      // Another node was faster.
      if (error.code !== DUPLICATE) throw error;
    });
}

/** From now on, code of an earlier version than this refuses the data. */
export async function refuseEarlier(db: mongo.Db, version: number): Promise<void> {
  await schemaOf(db).updateOne({ _id: SCHEMA }, { $max: { oldestReader: version } });
}

/** Whether code of an earlier version than this refuses the data, so that no such node runs or comes back. */
export async function refusesEarlier(db: mongo.Db, version: number): Promise<boolean> {
  return ((await readSchema(db))?.oldestReader ?? 0) >= version;
}

/** Records that a part of a step has run. It does nothing if another node was faster. */
export async function recordPart(db: mongo.Db, { version, name }: Step, part: 'before' | 'after'): Promise<void> {
  const field = part === 'before' ? 'version' : 'completed';
  const at = new Date();
  await schemaOf(db).updateOne(
    { _id: SCHEMA, [field]: version - 1 },
    { $set: { [field]: version, updatedAt: at }, $push: { applied: { version, name, part, at } } },
  );
}
