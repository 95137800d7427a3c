import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose, { type mongo } from 'mongoose';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { startCluster, startNode } from '#test/nodes';
import { builtWorkers } from '#test/workers';
import type { Chat } from '../../../contract.ts';
import { startStore } from '../../store/index.ts';
import { type NodeDoc, NodeModel } from '../cluster/nodes.ts';
import { connection } from '../database/connection.ts';
import { migrate } from './migrate.ts';
import { requireSchema, type SchemaDoc } from './schema.ts';
import type { Step } from './step.ts';
import { DATA_VERSION } from './steps.ts';

let dataDir: string;
/** A chat that is not there any more. */
const ERASED = new mongoose.mongo.ObjectId();

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'parley-migrations-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the product on the data folder. */
async function withServer(work: (server: TestServer) => Promise<unknown> = async () => {}): Promise<void> {
  const server = await startServer({ dataDir, mongodbUri: null });
  await work(server).finally(server.stop);
}

/** Changes the data folder while no server runs. */
async function withData<Result>(work: (db: mongo.Db) => Promise<Result>): Promise<Result> {
  const store = await startStore({ dataDir, workerUrl: (await builtWorkers()).store });
  const client = await new mongoose.mongo.MongoClient(store.uri).connect();
  try {
    return await work(client.db());
  } finally {
    await client.close();
    await store.stop();
  }
}

const schemaOf = (db: mongo.Db) => db.collection<SchemaDoc>('schema').findOne({ _id: 'schema' });
const namesOf = async (db: mongo.Db, collection: string) =>
  (await db.collection(collection).listIndexes().toArray()).map(({ name }) => name);

const indexOf = async (db: mongo.Db, collection: string, wanted: string) =>
  (await db.collection(collection).listIndexes().toArray()).find(({ name }) => name === wanted);

describe('a data folder', () => {
  test('that is new has the version of the code, and the indexes of every model', async () => {
    const version = DATA_VERSION;
    await withServer(async () => {
      const { db, models } = connection;
      expect(db && (await schemaOf(db))).toMatchObject({
        version,
        completed: version,
        oldestReader: version,
        applied: [],
      });
      for (const { collection, schema } of Object.values(models)) {
        if (schema.indexes().length === 0) continue;
        const keys = (await collection.listIndexes().toArray()).map(({ key }) => key);
        expect(keys).toEqual(expect.arrayContaining(schema.indexes().map(([key]) => key)));
      }
    });
  });

  test('of a version before there were steps is brought up, and changed indexes are made anew', async () => {
    let owner = {} as Account;
    let chat = {} as Chat;
    await withServer(async ({ api }) => {
      owner = await signUp(api, 'Olga Owner');
      chat = await newChat(api, await createSite(api, owner.token), owner.token, 'hello');
    });
    const before = await withData(async (db) => {
      const site = new mongoose.mongo.ObjectId(chat.site._id);
      const posting = (of: mongo.ObjectId, word: string) => ({ _id: `${of}:${word}`, site, chat: of, word });
      const words = [...Array.from({ length: 700 }, (_, i) => `alder${i}`), 'hello', 'oak'];
      await db
        .collection<{ _id: string }>('postings')
        .insertMany([
          ...words.map((word) => posting(new mongoose.mongo.ObjectId(chat._id), word)),
          posting(ERASED, 'elm'),
        ]);
      const names = await namesOf(db, 'chats');
      await db.collection('schema').drop();
      await db.collection('notices').createIndex({ site: 1 });
      await db.collection('imports').dropIndex('createdAt_1');
      await db.collection('imports').createIndex({ createdAt: 1 }, { expireAfterSeconds: 7 });
      await db.collection('invites').dropIndex('site_1_email_1');
      await db.collection('invites').createIndex({ site: 1, email: 1 });
      await db.collection('chats').dropIndex('snoozed_by_activity');
      await db.collection('chats').createIndex({ tags: 1 }, { name: 'snoozed_by_activity' });
      return names;
    });
    await withServer(async ({ api }) => {
      for (const word of ['hello', 'oak', 'alder699']) {
        const { body } = await api(`GET /chats?search=${word}`, { token: owner.token });
        expect(body.data.chats.map(({ _id }: Chat) => _id)).toEqual([chat._id]);
      }
    });
    await withData(async (db) => {
      expect(await schemaOf(db)).toMatchObject({ version: DATA_VERSION, completed: DATA_VERSION });
      expect(await db.collection('users').countDocuments()).toBe(1);
      expect(await db.listCollections({ name: 'postings' }).toArray()).toEqual([]);
      expect(await db.collection('chatWords').findOne({ _id: ERASED })).toBeNull();
      expect(await namesOf(db, 'notices')).not.toContain('site_1');
      expect((await indexOf(db, 'imports', 'createdAt_1'))?.expireAfterSeconds).toBeGreaterThan(7);
      expect(await indexOf(db, 'invites', 'site_1_email_1')).toMatchObject({ unique: true });
      expect(await indexOf(db, 'chats', 'snoozed_by_activity')).toMatchObject({ key: { lastActivity: -1 } });
      expect((await namesOf(db, 'chats')).sort()).toEqual(before.sort());
    });
  });

  test('of a newer version is refused with one sentence, unless this version can still read it', async () => {
    const set = (change: object) =>
      withData((db) =>
        db.collection<{ _id: string }>('schema').updateOne({ _id: 'schema' }, { $set: change }, { upsert: true }),
      );
    await set({ version: 99, completed: 98, oldestReader: 0 });
    await withServer();
    await set({ oldestReader: 99 });
    await expect(withServer()).rejects.toThrow(/^The data was written by a newer Parley \(data version 99, .*\.$/);
  });
});

describe('steps', () => {
  let ran: string[];
  const part = (name: string) => async () => void ran.push(name);
  const first: Step = { version: 1, name: 'one', before: part('before 1'), after: part('after 1') };
  const second: Step = { version: 2, name: 'two', before: part('before 2'), after: part('after 2') };
  const third: Step = { version: 3, name: 'three', before: part('before 3') };
  const ALL = [first, second, third];
  const MINE = { takeLease: async () => true, oldestNode: async () => 3, seal: (text: string) => text, log: () => {} };
  const THEIRS = { ...MINE, takeLease: async () => false };

  beforeEach(() => {
    ran = [];
  });

  /** A database with an account, and nothing that says of which version it is. */
  const withOldData = (work: (db: mongo.Db) => Promise<unknown>) =>
    withData(async (db) => {
      await db.collection('users').insertOne({ name: 'Olga' });
      await work(db);
    });

  test('run in order and once, and again from where they were cut off', async () => {
    await withOldData(async (db) => {
      const killed = { ...second, before: () => Promise.reject(new Error('killed')) };
      const cut = migrate({ ...MINE, db, steps: [first, killed, third] });
      await expect(cut).rejects.toThrow('Step 2 (two, before) of the upgrade of the data failed');
      expect(await schemaOf(db)).toMatchObject({ version: 1, completed: 1, oldestReader: 1 });
      expect(await migrate({ ...MINE, db, steps: ALL })).toBe(true);
      expect(await migrate({ ...MINE, db, steps: ALL })).toBe(true);
      expect(ran).toEqual(['before 1', 'after 1', 'before 2', 'after 2', 'before 3']);
      expect(await schemaOf(db)).toMatchObject({ version: 3, completed: 3, oldestReader: 2 });
      await expect(requireSchema(db, [first])).rejects.toThrow('a newer Parley');
      await expect(requireSchema(db, [first, second])).resolves.toBeUndefined();
      await expect(requireSchema(db, [...ALL, { version: 4, name: 'four' }])).rejects.toThrow('an earlier Parley');
    });
  });

  test('leave what old nodes need until those have ended, and another node waits only for what it needs', async () => {
    await withOldData(async (db) => {
      let oldestNode = 1;
      const migration = { ...MINE, db, steps: ALL, oldestNode: async () => oldestNode };
      const other = migrate({ ...migration, ...THEIRS });
      expect(await migrate(migration)).toBe(false);
      expect(await other).toBe(false);
      expect(ran).toEqual(['before 1', 'after 1', 'before 2', 'before 3']);
      expect(await schemaOf(db)).toMatchObject({ version: 3, completed: 1, oldestReader: 1 });
      oldestNode = 3;
      expect(await migrate(migration)).toBe(true);
      expect(ran).toEqual(['before 1', 'after 1', 'before 2', 'before 3', 'after 2']);
    });
  });

  test('that were removed cannot bring up data of a version that needs them', async () => {
    await withOldData(async (db) => {
      await expect(migrate({ ...MINE, db, steps: [second, third] })).rejects.toThrow(
        /^The data is of a Parley too old .*\.$/,
      );
      expect(ran).toEqual([]);
    });
  });
});

test('beside a node of the last release only what it does not mind is changed, and the rest when it has ended', async () => {
  const cluster = await startCluster(1);
  try {
    const { db } = connection;
    if (!db) throw new Error('There is no connection.');
    await db.collection('schema').deleteMany();
    await signUp(cluster.nodes[0]?.api as TestServer['api']);
    await db.collection('notices').createIndex({ site: 1 });
    const { dataVersion: _, ...entry } = (await NodeModel.findOne().lean()) as NodeDoc;
    await NodeModel.create({ ...entry, _id: 'old', version: '0.0.9' });
    await db.collection('imports').dropIndex('createdAt_1');
    await db.collection('imports').createIndex({ createdAt: 1 }, { expireAfterSeconds: 7 });
    const beats = setInterval(() => NodeModel.updateOne({ _id: 'old' }, { $inc: { beat: 1 } }).catch(() => {}), 50);
    const second = await startNode(cluster.env).finally(() => clearInterval(beats));
    expect(await schemaOf(db)).toMatchObject({ version: DATA_VERSION, completed: 0, oldestReader: 0 });
    expect(await namesOf(db, 'notices')).toContain('site_1');
    expect(await indexOf(db, 'imports', 'createdAt_1')).toMatchObject({ expireAfterSeconds: 7 });
    await NodeModel.deleteOne({ _id: 'old' });
    await until(async () => (await schemaOf(db))?.completed === DATA_VERSION);
    expect(await namesOf(db, 'notices')).not.toContain('site_1');
    await until(async () => (await indexOf(db, 'imports', 'createdAt_1'))?.expireAfterSeconds !== 7);
    await second.stop();
  } finally {
    await cluster.stop();
  }
});
