import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { withRetries } from './retry.ts';
import { perServer } from './scope.ts';
import type { StoreConnection } from './storeConnection.ts';

mongoose.set({ autoIndex: false, strictQuery: true, bufferCommands: false });

/** This server's connection to its database. */
export const connection: () => Connection = perServer(() => mongoose.createConnection());

/** MongoDB's error codes while a replica set changes its primary: not primary, stepped down, interrupted, shutting down. */
const PRIMARY_CHANGES = new Set([91, 189, 10_107, 11_600, 11_602, 13_435]);
/** The driver waits for the new primary itself; this only spaces out the tries. */
const PRIMARY_CHANGE_DELAYS_MS = [50, 200, 500, 1_000];

const direct = perServer(() => ({ store: null as StoreConnection | null }));

/** Makes `sendCommand` bypass the driver. */
export function sendCommandsTo(store: StoreConnection): void {
  direct().store = store;
}

/**
 * Sends a command without Mongoose, and to the embedded store without the driver. Undefined fields are left out.
 * @throws an error with MongoDB's `code` if it is refused
 */
export async function sendCommand<Result>(command: object): Promise<Result> {
  const { db, name } = connection();
  const { store } = direct();
  if (store) return store.command<Result>(name, command);
  if (!db) throw new mongoose.mongo.MongoNotConnectedError('There is no connection to the database.');
  return (await db.command(command, { ignoreUndefined: true })) as Result;
}

const compilers: (() => unknown)[] = [];

/**
 * Connects or reconnects. All models are compiled first, because the driver creates their collections and indexes on
 * connecting.
 */
export async function openConnection(uri: string, options: mongoose.ConnectOptions): Promise<void> {
  for (const compile of compilers) compile();
  await connection().openUri(uri, options);
}

/**
 * Makes the model of a collection. Each call uses the connection of the server that makes it, so that several servers in one
 * process have a database each.
 */
export function defineModel<Doc>(name: string, schema: Schema<Doc>, collection: string): Model<Doc> {
  const compiled = perServer(() => connection().model<Doc>(name, schema, collection));
  compilers.push(compiled);
  // The proxy's target has to be a function, or `new` would throw.
  function ModelOfServer() {}
  return new Proxy(ModelOfServer as unknown as Model<Doc>, {
    construct: (_, args) => Reflect.construct(compiled(), args),
    get(_, key) {
      const model = compiled();
      const value = Reflect.get(model, key);
      return typeof value === 'function' ? value.bind(model) : value;
    },
  });
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
  const { MongoNetworkError, MongoNetworkTimeoutError, MongoServerError } = mongoose.mongo;
  if (error instanceof MongoNetworkError) return !(error instanceof MongoNetworkTimeoutError);
  return error instanceof MongoServerError && PRIMARY_CHANGES.has(Number(error.code));
}
