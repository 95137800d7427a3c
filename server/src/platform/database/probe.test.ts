import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Writable } from 'node:stream';
import mongoose from 'mongoose';
import { afterEach, expect, test } from 'vitest';
import { StoreError } from '#store';
import { startServer } from '#test/harness';
import { startOtherEngine } from '#test/otherEngine';
import { startProxiedStore } from '#test/proxiedStore';
import { type Document, documentOf, messageOf } from '#test/wireMessages';

const { ObjectId } = mongoose.mongo;
const SILENT_MAX_MS = 1_000;
const UNAUTHORIZED = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'Command requires authentication' };
const SIGN_IN_FAILED = { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' };
const NO_INDEX = { ok: 0, code: 67, codeName: 'CannotCreateIndex', errmsg: 'no such index' };

let undo: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

/** What a start with this address logs. @throws what the operator is told */
async function startAt(mongodbUri: string): Promise<string[]> {
  const lines: string[] = [];
  const logTo = new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(line).msg)) });
  const server = await startServer({ mongodbUri, logLevel: 'info' }, { logTo, storeSilentMaxMs: SILENT_MAX_MS });
  await server.stop();
  return lines;
}

async function refusalAt(mongodbUri: string): Promise<string> {
  const refusal = await startAt(mongodbUri).catch((error) => error);
  expect(refusal).toBeInstanceOf(StoreError);
  return refusal.message;
}

/** @param answer instead of the store, where it is one @param hello what the store says of itself, besides what is true */
async function answering(answer: (command: Document) => Document | undefined, hello: object = {}): Promise<string> {
  const store = await startProxiedStore(() => ({
    asked: (bytes) => answer(documentOf(bytes)) ?? bytes,
    answered(bytes) {
      const said = documentOf(bytes);
      return 'maxWireVersion' in said ? messageOf(bytes, { ...said, ...hello }) : bytes;
    },
  }));
  undo.push(store.stop);
  return store.address;
}

const nothing = () => undefined;
const ifAsked = (verb: string, answer: Document) => (command: Document) => (verb in command ? answer : undefined);

test('says that nothing listens, that a host is unknown, and what is no address', async () => {
  const password = 'kept-to-itself';
  expect(await refusalAt(`mongodb://ana:${password}@127.0.0.1:1/parley`)).toMatch(
    /^Nothing listens at 127\.0\.0\.1:1,/,
  );
  expect(await refusalAt('mongodb://no-such-host.invalid/parley')).toMatch(/host name no-such-host\.invalid.* unknown/);
  const wrong = await refusalAt(`mongodb://ana:${password}@127.0.0.1/parley?colour=red`);
  expect(wrong).toMatch(/^MONGODB_URI is not the address of a database: .*colour/);
  expect(wrong).not.toContain(password);
});

test('says that what takes the connection does not answer', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  undo.push(async () => void silent.close());
  const { port } = silent.address() as AddressInfo;
  expect(await refusalAt(`mongodb://127.0.0.1:${port}/parley`)).toMatch(/does not answer as a MongoDB does/);
});

test('says that the password is wrong, that one is wanted, and that a user may not write', async () => {
  const refusing = await answering(ifAsked('saslStart', SIGN_IN_FAILED));
  expect(await refusalAt(`mongodb://ana:wrong@${refusing}/parley`)).toMatch(/refuses the user or the password/);
  const wanting = await answering(ifAsked('createIndexes', UNAUTHORIZED));
  expect(await refusalAt(`mongodb://${wanting}/parley`)).toMatch(/wants a user and a password/);
  const reading = await answering((command) => {
    if ('saslStart' in command) return { ok: 1, conversationId: 1, done: true, payload: '' };
    return 'createIndexes' in command ? UNAUTHORIZED : undefined;
  });
  const plain = 'authMechanism=PLAIN&authSource=%24external';
  expect(await refusalAt(`mongodb://ana:right@${reading}/parley?${plain}`)).toMatch(/may not write in .*“parley”/);
});

test('says that a replica set is not there, or has no primary', async () => {
  const alone = await answering(nothing);
  expect(await refusalAt(`mongodb://${alone}/parley?replicaSet=rs7`)).toMatch(/no member of the replica set “rs7”/);
  const hosts: string[] = [];
  const secondary = { setName: 'rs7', secondary: true, ismaster: false, isWritablePrimary: false, hosts };
  const address = await answering(nothing, secondary);
  hosts.push(address);
  expect(await refusalAt(`mongodb://${address}/parley?replicaSet=rs7`)).toMatch(/“rs7”, of which none is primary/);
});

test('says that a version is too old', async () => {
  const old = await answering(ifAsked('buildInfo', { ok: 1, version: '4.4.29' }));
  expect(await refusalAt(`mongodb://${old}/parley`)).toMatch(
    /has version 4\.4\.29\. Parley needs MongoDB 5\.0 or newer/,
  );
  const ancient = await answering(nothing, { maxWireVersion: 6 });
  expect(await refusalAt(`mongodb://${ancient}/parley`)).toMatch(/version of the database .* does not fit: /);
});

test('says which kind of index is missing', async () => {
  const refuses = (option: string) => (command: Document) =>
    command.indexes?.[0][option] === undefined ? undefined : NO_INDEX;
  const withoutUnique = await answering(refuses('unique'));
  expect(await refusalAt(`mongodb://${withoutUnique}/parley`)).toMatch(/a partial unique index: no such index/);
  const withoutExpiry = await answering(refuses('expireAfterSeconds'));
  expect(await refusalAt(`mongodb://${withoutExpiry}/parley`)).toMatch(/by which documents expire: no such index/);
  const lenient = await answering(ifAsked('insert', { ok: 1, n: 4 }));
  expect(await refusalAt(`mongodb://${lenient}/parley`)).toMatch(/a partial unique index: it refuses nothing/);
});

test('starts on a database that is only different, and says how', async () => {
  const engine = await startOtherEngine();
  undo.push(engine.stop);
  const said = (await startAt(engine.uri)).find((line) => line.includes('differs from MongoDB'));
  expect(said).toMatch(/which unique index.*; .*in the order of the index.*; a deletion beside an update/);
});

test('says nothing of a healthy database, leaves nothing in it, also of a start that was killed, and starts on a full one', async () => {
  const collections = new Set<string>();
  const healthy = await answering(({ create, createIndexes, insert, drop }) => {
    for (const made of [create, createIndexes, insert]) if (made) collections.add(made);
    collections.delete(drop);
    return undefined;
  });
  expect((await startAt(`mongodb://${healthy}/parley`)).join()).not.toMatch(/differs|could not be tried/);
  expect([...collections].filter((name) => name.startsWith('probe'))).toEqual([]);
  const client = await new mongoose.mongo.MongoClient(`mongodb://${healthy}/parley`).connect();
  undo.push(() => client.close());
  const [killed, beside] = [ObjectId.createFromTime(Date.now() / 1000 - 7_200), new ObjectId()].map(
    (id) => `probe_${id}`,
  );
  for (const name of [killed, beside]) await client.db().createCollection(String(name));
  await startAt(`mongodb://${healthy}/parley`);
  const left = (await client.db().listCollections().toArray()).map(({ name }) => name);
  expect(left.filter((name) => name.startsWith('probe'))).toEqual([beside]);
  const full = { ok: 0, code: 14_031, codeName: 'OutOfDiskSpace', errmsg: 'The disk is full.' };
  const address = await answering((command) => (String(command.createIndexes).startsWith('probe') ? full : undefined));
  expect((await startAt(`mongodb://${address}/parley`)).join()).toMatch(/could not be tried: The disk is full/);
});
