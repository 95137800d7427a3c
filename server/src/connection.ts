import mongoose, { type Connection, type Model, type Schema } from 'mongoose';
import { perServer } from './scope.ts';

mongoose.set({ autoIndex: false, strictQuery: true, bufferCommands: false });

/** This server's connection to its database. */
export const connection: () => Connection = perServer(() => mongoose.createConnection());

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
