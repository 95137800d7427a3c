import mongoose, { type Model, type Schema, type Types } from 'mongoose';
import { events } from '#platform/events';
import { withRetries } from '#platform/time';
import type { StoreReader } from '#store';
import { isPassing } from './failures.ts';
import type { StoreConnection } from './storeConnection.ts';

declare module '#platform/events' {
  interface Events {
    /** The database has answered a command of the hot path, or failed. */
    storeAnswered: { command: 'insert' | 'update'; seconds: number };
  }
}

// A filter with a field that the schema does not have is refused: without that field, it could match every document.
// Collections come with their indexes, which the start makes.
mongoose.set({ autoCreate: false, autoIndex: false, strictQuery: 'throw', bufferCommands: false });

/** The connection to the database. Tests, which start one server after the other, close it and open it again. */
export const connection = mongoose.createConnection();
// Each cache is emptied when it closes.
connection.setMaxListeners(0);

/** The driver waits for the new primary itself; this only spaces out the tries. */
const PRIMARY_CHANGE_DELAYS_MS = [50, 200, 500, 1_000];

/** The ways to the embedded store that bypass the driver: for commands, and for reads by id. */
interface DirectWays {
  commands: StoreConnection;
  reader: StoreReader;
}

let direct: DirectWays | null = null;

/** Makes raw commands and reads by id bypass the driver; null: they go through it. */
export function bypassDriver(ways: DirectWays | null): void {
  direct = ways;
}

/**
 * Sends a command without Mongoose, and to the embedded store without the driver. Undefined fields are left out.
 * @throws an error with MongoDB's `code` if it is refused
 */
async function sendCommand<Result>(command: object): Promise<Result> {
  const { db, name } = connection;
  if (direct) return direct.commands.command<Result>(name, command);
  if (!db) throw new mongoose.mongo.MongoNotConnectedError('There is no connection to the database.');
  return (await db.command(command, { ignoreUndefined: true })) as Result;
}

/** The connection's write concern, repeated for raw commands: acknowledged once a majority has it in the journal. */
const DURABLE = { w: 'majority', j: true } as const;
/** The same of its read concern. */
const CONFIRMED = { level: 'majority' } as const;

/** A command that writes several documents of a collection. */
export type WriteCommand = { insert: string; documents: object[] } | { update: string; updates: object[] };

/** What a write command did. */
export interface WriteAnswer {
  /** Number of documents affected. */
  n: number;
  writeErrors: { index: number; code: number; errmsg?: string }[];
}

/** Sends one durable write command, in which a refused document does not stop the others. */
export async function sendWrites(command: WriteCommand): Promise<WriteAnswer> {
  const whole = { ...command, ordered: false, writeConcern: DURABLE };
  return { writeErrors: [], ...(await sendCommand<Partial<WriteAnswer> & Pick<WriteAnswer, 'n'>>(whole)) };
}

/**
 * As `sendWrites`, for the hot path: measured, and sent again when the primary changes, so twice at times. Unique indexes and
 * filters refuse what is already done.
 */
export async function writeDurably(command: WriteCommand): Promise<WriteAnswer> {
  const began = performance.now();
  try {
    return await throughPrimaryChange(() => sendWrites(command));
  } finally {
    const seconds = (performance.now() - began) / 1000;
    void events.emit('storeAnswered', { command: 'insert' in command ? 'insert' : 'update', seconds });
  }
}

type Id = Types.ObjectId | string;

/**
 * Reads documents by their ids: from the embedded store's file, or else with one raw command. Mongoose and the cursor of the
 * driver take longer than the store.
 */
export async function findByIds<Doc extends { _id: Id }>(collection: string, ids: Id[]): Promise<Doc[]> {
  const inFile = findInFile<Doc>(collection, ids);
  if (inFile) return inFile;
  const [batchSize, singleBatch] = [ids.length + 1, ids.length === 1];
  const find = { find: collection, filter: { _id: { $in: ids } }, batchSize, singleBatch, readConcern: CONFIRMED };
  const { cursor } = await throughPrimaryChange(() => sendCommand<{ cursor: FirstBatch<Doc> }>(find));
  if (String(cursor.id) === '0') return cursor.firstBatch;
  // Not all of them fit in one answer.
  const half = Math.ceil(ids.length / 2);
  const parts = [ids.slice(0, half), ids.slice(half)].map((some) => findByIds<Doc>(collection, some));
  return (await Promise.all(parts)).flat();
}

/** As `findByIds`, from the embedded store's file and at once; undefined: it has to be asked for. */
export function findInFile<Doc>(collection: string, ids: Id[]): Doc[] | undefined {
  return direct?.reader.findByIds<Doc>(`${connection.name}.${collection}`, ids);
}

/** Counts the documents of a filter up to a limit: by an index in the embedded store's file, or else with one raw command. */
export async function countUpTo(limit: number, collection: string, filter: Record<string, unknown>): Promise<number> {
  const inFile = direct?.reader.count(`${connection.name}.${collection}`, filter);
  if (inFile !== undefined) return Math.min(inFile, limit);
  const pipeline = [{ $match: filter }, { $limit: limit }, { $group: { _id: 1, n: { $sum: 1 } } }];
  const aggregate = { aggregate: collection, pipeline, cursor: {}, readConcern: CONFIRMED };
  const { cursor } = await throughPrimaryChange(() => sendCommand<{ cursor: FirstBatch<{ n: number }> }>(aggregate));
  return cursor.firstBatch[0]?.n ?? 0;
}

/** Whether any document of a collection passes a filter. */
export async function isAny(collection: string, filter: Record<string, unknown>): Promise<boolean> {
  return (await countUpTo(1, collection, filter)) > 0;
}

/** The cursor in an answer; its id is 0 if the batch has everything. */
interface FirstBatch<Doc> {
  id: unknown;
  firstBatch: Doc[];
}

/** Makes the model of a collection. */
export function defineModel<Doc>(name: string, schema: Schema<Doc>, collection: string): Model<Doc> {
  return connection.model<Doc>(name, schema, collection);
}

/**
 * Sends a command again when the connection broke or the replica set changed its primary, as the driver does for its own
 * writes but not for raw commands. The first try may have been carried out: only for commands that may run twice.
 * @throws the driver's error after the last try, and after a timeout at once
 */
export function throughPrimaryChange<Result>(command: () => Promise<Result>): Promise<Result> {
  return withRetries(command, { delaysMs: PRIMARY_CHANGE_DELAYS_MS, isRetryable: isPrimaryChange });
}

function isPrimaryChange(error: unknown): boolean {
  const { MongoNetworkError, MongoNetworkTimeoutError } = mongoose.mongo;
  if (error instanceof MongoNetworkError) return !(error instanceof MongoNetworkTimeoutError);
  return isPassing(error);
}
