import type { mongo, Schema } from 'mongoose';
import { StoreError } from '#store';
import { dropIndex } from './step.ts';

/** What declares the indexes of a collection. */
export interface Declaring {
  collection: Pick<mongo.Collection, 'collectionName'>;
  schema: Pick<Schema, 'indexes'>;
}

/** An index, as it is declared and as it is listed. */
type Index = mongo.IndexDescriptionInfo & { name: string };

const NO_SUCH_COLLECTION = 26;
const DUPLICATE = 11_000;
/** Another index has the name or the key: they differ in their options, or in the other of the two. */
const CONFLICTS = [85, 86];
const UNKNOWN_COMMAND = [59, 115];

/** What comparing the indexes takes. */
interface Comparison {
  db: mongo.Db;
  /** Whether indexes may be changed: no node of another version runs, which may name them, or declare them differently. */
  mayReplace: boolean;
  log(sentence: string): void;
}

/**
 * Makes the indexes what the models declare: creates those that are missing, and drops and makes anew those with other
 * options. Others are only listed in the log: the steps drop them.
 * @returns whether all are as declared; otherwise some have to be replaced later
 * @throws StoreError with a sentence for the operator
 */
export async function matchIndexes(models: Declaring[], comparison: Comparison): Promise<boolean> {
  const { db, log } = comparison;
  const extra: string[] = [];
  let areAllMade = true;
  for (const { collection, schema } of models) {
    const stored = db.collection(collection.collectionName);
    const declared = schema
      .indexes()
      .map(([key, options]) => ({ ...options, key, name: options.name ?? nameOf(key) }) as Index);
    const existing = await listIndexes(stored);
    const missing = declared.filter((index) => !existing.some((one) => optionsOf(one) === optionsOf(index)));
    if (missing.length > 0 && !(await create(stored, missing, existing, comparison))) areAllMade = false;
    for (const { name } of existing)
      if (name !== '_id_' && !declared.some((index) => index.name === name))
        extra.push(`${collection.collectionName}.${name}`);
  }
  if (extra.length > 0) log(`Indexes that this version does not declare: ${extra.join(', ')}.`);
  return areAllMade;
}

const nameOf = (key: object) => Object.entries(key).flat().join('_');

async function listIndexes(collection: mongo.Collection): Promise<Index[]> {
  try {
    return (await collection.listIndexes().toArray()) as Index[];
  } catch (error) {
    if (codeOf(error) === NO_SUCH_COLLECTION) return [];
    throw error;
  }
}

/** All by which indexes differ, as text. */
function optionsOf({ name, key, unique = false, sparse = false, expireAfterSeconds, partialFilterExpression }: Index) {
  return JSON.stringify([name, Object.entries(key), unique, sparse, expireAfterSeconds, partialFilterExpression]);
}

/** What two indexes of one collection may not have in common. */
const signatureOf = ({ key, partialFilterExpression }: Index) =>
  JSON.stringify([Object.entries(key), partialFilterExpression]);

/** Creates the indexes of a collection with one command, so that it is read once; if one has a conflict, one by one. */
async function create(
  collection: mongo.Collection,
  missing: Index[],
  existing: Index[],
  comparison: Comparison,
): Promise<boolean> {
  try {
    await createAll(collection, missing);
    return true;
  } catch (error) {
    if (!CONFLICTS.includes(codeOf(error))) throw error;
  }
  const made: boolean[] = [];
  for (const index of missing) made.push(await createOne(collection, index, existing, comparison));
  return made.every(Boolean);
}

async function createOne(
  collection: mongo.Collection,
  index: Index,
  existing: Index[],
  { db, mayReplace, log }: Comparison,
): Promise<boolean> {
  try {
    await createAll(collection, [index]);
    return true;
  } catch (error) {
    if (!CONFLICTS.includes(codeOf(error))) throw error;
  }
  const what = `The index ${collection.collectionName}.${index.name}`;
  if (!mayReplace) {
    log(`${what} is changed when no node of another version runs.`);
    return false;
  }
  const inTheWay = existing.filter((one) => one.name === index.name || signatureOf(one) === signatureOf(index));
  if (await changeExpiry(db, collection, index, inTheWay)) return true;
  log(`${what} is made anew, because its options have changed.`);
  for (const { name } of inTheWay) await dropIndex(collection, name);
  await createAll(collection, [index]);
  return true;
}

/** Changes when documents expire, if only that differs: MongoDB does it without dropping the index. @returns whether it did */
async function changeExpiry(
  db: mongo.Db,
  { collectionName }: mongo.Collection,
  index: Index,
  inTheWay: Index[],
): Promise<boolean> {
  const { name, expireAfterSeconds } = index;
  if (expireAfterSeconds === undefined) return false;
  const isAllElseEqual = inTheWay.some((one) => optionsOf({ ...one, expireAfterSeconds }) === optionsOf(index));
  if (!isAllElseEqual || inTheWay.some((one) => one.expireAfterSeconds === undefined)) return false;
  try {
    await db.command({ collMod: collectionName, index: { name, expireAfterSeconds } });
    return true;
  } catch (error) {
    // The embedded store has no such command.
    if (UNKNOWN_COMMAND.includes(codeOf(error))) return false;
    throw error;
  }
}

async function createAll(collection: mongo.Collection, indexes: Index[]): Promise<void> {
  try {
    await collection.createIndexes(indexes as mongo.IndexDescription[]);
  } catch (error) {
    if (codeOf(error) !== DUPLICATE) throw error;
    const why = error instanceof Error ? error.message : '';
    throw new StoreError(
      `A unique index of ${collection.collectionName} cannot be made, because several documents have the same value: ${why}`,
      { cause: error },
    );
  }
}

const codeOf = (error: unknown): number => Number((error as { code?: unknown }).code);
