import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { perServer } from './scope.ts';

mongoose.set({ autoIndex: false, strictQuery: true, bufferCommands: false });

/** This server's connection to its database. */
export const connection: () => Connection = perServer(() => mongoose.createConnection());

const compilers: (() => unknown)[] = [];

/** Connects, or connects again. Models that are made before know from the start that they are to make their collections. */
export async function openConnection(uri: string, options: mongoose.ConnectOptions): Promise<void> {
  for (const compile of compilers) compile();
  await connection().openUri(uri, options);
}

/**
 * Makes the model of a collection. What it is asked goes to the connection of the server that asks, so that several servers
 * in one process have a database each.
 */
export function defineModel<Doc>(name: string, schema: Schema<Doc>, collection: string): Model<Doc> {
  const compiled = perServer(() => connection().model<Doc>(name, schema, collection));
  compilers.push(compiled);
  // Only what makes a model, so that `new` works.
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
