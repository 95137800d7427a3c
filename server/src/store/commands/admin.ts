import { Long } from 'bson';
import { type Doc, isDoc, isTrue } from '../bson/values.ts';
import { MAX_DOCUMENT_BYTES } from '../documents.ts';
import { CommandError, unsupported } from '../errors.ts';
import { filterDoc, parseFilter } from '../query/filter.ts';
import { matches } from '../query/match.ts';
import { type Command, checkArguments, inOneStep, namespace } from './call.ts';
import { listAnswer } from './indexes.ts';

export const MAX_MESSAGE_BYTES = 48_000_000;
const MAX_WRITE_BATCH = 100_000;
const VERSION = '7.0.0';
/** The wire versions supported, which are those of MongoDB 7.0. */
const WIRE = { minWireVersion: 0, maxWireVersion: 21 };

/** The handshake of a driver. The store reports a standalone server, so that drivers use no retries and no transactions. */
export const hello: Command = inOneStep(false, ({ engine, name, body }) => ({
  helloOk: true,
  ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: MAX_WRITE_BATCH,
  localTime: engine.now(),
  logicalSessionTimeoutMinutes: 30,
  connectionId: 1,
  ...WIRE,
  readOnly: false,
  ...(body.saslSupportedMechs === undefined ? {} : { saslSupportedMechs: [] }),
  ok: 1,
}));

export const buildInfo: Command = inOneStep(false, () => ({
  version: VERSION,
  versionArray: VERSION.split('.').map(Number).concat(0),
  gitVersion: 'parley-embedded-store',
  bits: 64,
  maxBsonObjectSize: MAX_DOCUMENT_BYTES,
  storageEngines: ['lmdb'],
  modules: [],
  ok: 1,
}));

export const acknowledge: Command = inOneStep(false, () => ({ ok: 1 }));

export const connectionStatus: Command = inOneStep(false, () => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
  ok: 1,
}));

export const killCursors: Command = inOneStep(false, (call) => {
  checkArguments(call, ['cursors']);
  const ids = Array.isArray(call.body.cursors) ? call.body.cursors : [];
  const cursorsKilled: unknown[] = [];
  const cursorsNotFound: unknown[] = [];
  for (const id of ids) (call.engine.cursors.remove(Number(id)) ? cursorsKilled : cursorsNotFound).push(id);
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
});

const REFUSED_CREATE = [
  'capped',
  'timeseries',
  'viewOn',
  'clusteredIndex',
  'validator',
  'changeStreamPreAndPostImages',
  'encryptedFields',
];

export const create: Command = inOneStep(true, (call) => {
  const { body, engine } = call;
  const refused = REFUSED_CREATE.find((option) => isTrue(body[option]));
  if (refused) throw unsupported(`The collection option ${refused}`);
  checkArguments(call, [
    ...REFUSED_CREATE,
    'size',
    'max',
    'autoIndexId',
    'idIndex',
    'pipeline',
    'storageEngine',
    'collation',
  ]);
  if (isDoc(body.collation) && body.collation.locale !== 'simple') throw unsupported('Collation');
  const ns = namespace(call);
  if (!engine.catalogue.get(ns)) engine.catalogue.create(ns);
  return { ok: 1 };
});

/** Removes the collection at once; its documents are removed after the answer. */
export const drop: Command = inOneStep(true, (call) => {
  checkArguments(call, []);
  const { catalogue, cursors } = call.engine;
  const ns = namespace(call);
  const collection = catalogue.get(ns);
  // since MongoDB 7.0, dropping a missing collection succeeds
  if (!collection) return { ok: 1 };
  const nIndexesWas = collection.indexes.length + 1;
  catalogue.drop(collection);
  cursors.removeAll(ns);
  return { nIndexesWas, ns, ok: 1 };
});

export const dropDatabase: Command = inOneStep(true, (call) => {
  checkArguments(call, []);
  const { catalogue, cursors } = call.engine;
  for (const collection of catalogue.list(call.db)) {
    catalogue.drop(collection);
    cursors.removeAll(collection.ns);
  }
  return { dropped: call.db, ok: 1 };
});

export const listCollections: Command = {
  writes: false,
  *run(call) {
    checkArguments(call, ['filter', 'nameOnly', 'authorizedCollections', 'cursor']);
    const filter = parseFilter(filterDoc(call.body.filter, 'filter'));
    const entries = call.engine.catalogue.list(call.db).map(({ name }): Doc => {
      if (isTrue(call.body.nameOnly)) return { name, type: 'collection' };
      const idIndex = { v: 2, key: { _id: 1 }, name: '_id_' };
      return { name, type: 'collection', options: {}, info: { readOnly: false }, idIndex };
    });
    return yield* listAnswer(
      call,
      `${call.db}.$cmd.listCollections`,
      entries.filter((entry) => matches(filter, entry)),
    );
  },
};

export const listDatabases: Command = inOneStep(false, (call) => {
  checkArguments(call, ['filter', 'nameOnly', 'authorizedDatabases']);
  const databases = call.engine.catalogue.databases().map((name) => ({ name, sizeOnDisk: Long.ZERO, empty: false }));
  return { databases, totalSize: Long.ZERO, ok: 1 };
});

/**
 * How much room the data uses and has, in MongoDB's fields. The end of the file's address space counts as the end of the
 * disk.
 */
export const dbStats: Command = inOneStep(false, ({ db, engine }) => {
  const { file, growth, unused, taken } = engine.storage.space();
  return {
    db,
    collections: engine.catalogue.list(db).length,
    storageSize: file,
    totalSize: file,
    freeStorageSize: unused,
    fsUsedSize: taken,
    fsTotalSize: taken + growth,
    ok: 1,
  };
});

/** Known commands that are refused, each with its own error code. */
export const REFUSED: Record<string, () => CommandError> = {
  abortTransaction: () => new CommandError(263, 'Transactions are not supported by the embedded store'),
  commitTransaction: () => new CommandError(263, 'Transactions are not supported by the embedded store'),
  mapReduce: () => unsupported('mapReduce'),
  distinct: () => unsupported('distinct'),
  collMod: () => unsupported('collMod'),
  renameCollection: () => unsupported('renameCollection'),
  bulkWrite: () => unsupported('bulkWrite over several collections'),
  saslStart: () => new CommandError(11, 'The embedded store has no users: leave name and password out of the address'),
};
