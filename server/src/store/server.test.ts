import { connect } from 'node:net';
import { join } from 'node:path';
import { deserialize, serialize } from 'bson';
import fc from 'fast-check';
import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtWorker } from '#test/workers';
import { encode } from './bson/values.ts';
import { expire } from './expiry.ts';
import { startStore } from './index.ts';
import { openLmdb } from './storage/lmdb.ts';
import { freshFolder, type OpenStore, openBare, openStore, SLICE_WORK } from './testing.ts';

let open: OpenStore;
beforeAll(async () => {
  open = await openStore();
});
afterAll(() => open.close());

function socketPath(): string {
  return decodeURIComponent(open.store.uri.match(/\/\/([^/]+)\//)?.[1] ?? '');
}

/** Sends bytes on a connection of their own, and waits until something comes back or the other end hangs up. */
function send(bytes: Uint8Array, hangUp = false): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(socketPath());
    const end = (answer?: Buffer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', end);
    socket.once('error', () => end());
    socket.once('close', () => end());
    if (hangUp) socket.end(bytes);
    else socket.write(bytes);
  });
}

function message(body: Record<string, unknown>, flags = 0): Buffer {
  const doc = serialize(body);
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + doc.length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(2013, 12);
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, doc]);
}

/** The BSON of documents in documents, each with one field. */
function nestedDocument(levels: number): Buffer {
  const innermost = Buffer.from(serialize({ x: 1 }));
  const bytes = Buffer.alloc(levels * 8 + innermost.length);
  for (let level = 0; level < levels; level++) {
    bytes.writeInt32LE(bytes.length - level * 8, level * 7);
    bytes.set([3, 97, 0], level * 7 + 4);
  }
  bytes.set(innermost, levels * 7);
  return bytes;
}

describe('the wire protocol', () => {
  const insert = message({ insert: 'fuzz', documents: [{ a: 1, b: { c: [1, 'x'] } }], $db: 'parley' });

  test('answers a complete message', async () => {
    const answer = await send(message({ ping: 1, $db: 'admin' }));
    expect(answer?.readInt32LE(8)).toBe(7);
  });

  test('survives any bytes without affecting others', async () => {
    const anything = fc.uint8Array({ maxLength: 200 });
    const framed = fc.uint8Array({ maxLength: 100 }).map((body) => {
      const head = Buffer.from(insert.subarray(0, 16));
      head.writeInt32LE(16 + body.length, 0);
      return Buffer.concat([head, body]);
    });
    const bent = fc.tuple(fc.nat({ max: insert.length - 5 }), fc.nat({ max: 255 })).map(([at, byte]) => {
      const bytes = Buffer.from(insert);
      bytes[at + 4] = byte;
      return bytes;
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, framed, bent), async (bytes) => void (await send(bytes, true))),
      { numRuns: 300 },
    );
    expect(await open.db.command({ ping: 1 })).toEqual({ ok: 1 });
  });

  test('refuses deeply nested documents and continues', async () => {
    const nested = nestedDocument(50_000);
    const sequence = Buffer.alloc(15);
    sequence.writeUInt8(1, 0);
    sequence.writeInt32LE(14 + nested.length, 1);
    sequence.write('documents\0', 5);
    const command = message({ insert: 'deep', $db: 'parley' });
    const whole = Buffer.concat([command, sequence, nested]);
    whole.writeInt32LE(whole.length, 0);
    const answer = await send(whole);
    expect(deserialize(answer?.subarray(21) ?? new Uint8Array())).toMatchObject({ n: 0, writeErrors: [{ code: 15 }] });
    expect(await open.db.command({ ping: 1 })).toEqual({ ok: 1 });
  });

  test('executes unacknowledged writes although the client has disconnected', async () => {
    const SENT = 30;
    const inserts = Array.from({ length: SENT }, (_, n) =>
      message({ insert: 'sent', documents: [{ n }], $db: 'parley' }, 2),
    );
    const socket = connect(socketPath());
    await new Promise<void>((resolve) => socket.end(Buffer.concat(inserts), resolve));
    socket.destroy();
    await expect.poll(() => open.db.collection('sent').countDocuments()).toBe(SENT);
  });

  test('processes the next requests of a connection only after their answers have been read', async () => {
    const text = 'x'.repeat(10 * 2 ** 20);
    await open.db.collection('large').insertOne({ text });
    const find = message({ find: 'large', filter: {}, $db: 'parley' });
    const socket = connect(socketPath());
    const REQUESTS = 40;
    for (let i = 0; i < REQUESTS; i++) socket.write(find);
    const stored = () => process.memoryUsage().rss;
    await open.db.command({ ping: 1 });
    const before = stored();
    for (let i = 0; i < 20; i++) await open.db.command({ ping: 1 });
    expect(stored() - before).toBeLessThan(250 * 2 ** 20);
    let read = 0;
    await new Promise<void>((resolve) => {
      socket.on('data', (chunk) => {
        read += chunk.length;
        if (read > REQUESTS * text.length) resolve();
      });
    });
    socket.destroy();
  });

  test('limits the memory for incomplete messages', async () => {
    const head = Buffer.alloc(16);
    head.writeInt32LE(40_000_000, 0);
    const piece = Buffer.alloc(39_000_000);
    const ended = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const socket = connect(socketPath());
        socket.on('error', () => {});
        const isEnded = new Promise<boolean>((resolve) => socket.on('close', () => resolve(true)));
        await new Promise((resolve) => socket.write(Buffer.concat([head, piece]), resolve));
        const wasEnded = await Promise.race([isEnded, open.db.command({ ping: 1 }).then(() => socket.destroyed)]);
        return { socket, wasEnded };
      }),
    );
    expect(ended.some(({ wasEnded }) => wasEnded)).toBe(true);
    expect(await open.db.command({ ping: 1 })).toEqual({ ok: 1 });
    for (const { socket } of ended) socket.destroy();
  });

  test('sends no answer to an unacknowledged write, which the next read of the connection sees', async () => {
    const silent = message({ insert: 'silent', documents: [{ a: 1 }], $db: 'parley' }, 2);
    const answer = await send(Buffer.concat([silent, message({ count: 'silent', $db: 'parley' })]));
    expect(answer?.readInt32LE(0)).toBe(answer?.length);
    expect(deserialize(answer?.subarray(21) ?? new Uint8Array())).toMatchObject({ n: 1 });
  });
});

describe('scheduling', () => {
  const MANY = SLICE_WORK === 0 ? 600 : 60_000;

  test('a long scan lets other commands go first', async () => {
    const collection = open.db.collection('long');
    await collection.insertMany(Array.from({ length: MANY }, (_, n) => ({ n, last: n % 10, text: `number ${n}` })));
    let found: number | undefined;
    const scan = collection.countDocuments({ last: 9, text: { $ne: '' } }).then((n) => {
      found = n;
    });
    let served = 0;
    while (found === undefined) {
      await open.db.command({ ping: 1 });
      served++;
    }
    await scan;
    expect(found).toBe(MANY / 10);
    expect(served).toBeGreaterThan(3);
  });

  test('a scan that exceeds maxTimeMS is ended', async () => {
    const slow = open.db.collection('long').find({ text: 'nothing' }).maxTimeMS(1).toArray();
    await expect(slow).rejects.toMatchObject({ code: 50 });
  });
});

describe('Mongoose', () => {
  test('creates, keeps and changes indexes by its schemas', async () => {
    const connection = await mongoose.createConnection(open.store.uri).asPromise();
    try {
      const schema = new mongoose.Schema(
        { email: { type: String, unique: true, sparse: true }, site: String, at: Date },
        { timestamps: true },
      );
      schema.index({ site: 1, at: -1 });
      schema.index({ at: 1 }, { expireAfterSeconds: 3600 });
      const Person = connection.model('Person', schema);
      await Person.init();
      expect(await Person.syncIndexes()).toEqual([]);
      const person = await Person.create({ email: 'a@example.com', site: 's' });
      person.site = 't';
      await person.save();
      await expect(Person.create({ email: 'a@example.com' })).rejects.toMatchObject({ code: 11000 });
      expect(await Person.exists({ site: 't' })).toMatchObject({ _id: person._id });
      const other = new mongoose.Schema({ email: String, site: { type: String, index: true } });
      connection.deleteModel('Person');
      const changed = connection.model('Person', other);
      expect((await changed.syncIndexes()).sort()).toEqual(['at_1', 'email_1', 'site_1_at_-1']);
      expect((await changed.listIndexes()).map(({ name }) => name)).toEqual(['_id_', 'site_1']);
    } finally {
      await connection.close();
    }
  });
});

describe('databases', () => {
  test('collections are listed, created and dropped', async () => {
    const db = open.client.db('other');
    await db.createCollection('made');
    await db.collection('filled').insertOne({ a: 1 });
    await db.collection('filled').createIndex({ a: 1 });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['filled', 'made']);
    await db.collection('filled').drop();
    await db.collection('filled').insertOne({ b: 1 });
    expect(await db.collection('filled').find().project({ _id: 0 }).toArray()).toEqual([{ b: 1 }]);
    expect(await db.collection('filled').indexes()).toHaveLength(1);
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
  });

  test('the data is there after a restart', async () => {
    const dataDir = freshFolder();
    const first = await openStore(dataDir);
    await first.db.collection('kept').createIndex({ a: 1 }, { unique: true });
    await first.db.collection('kept').insertMany([{ a: 1 }, { a: [2, 3] }]);
    await first.client.close();
    await first.store.stop();
    const again = await openStore(dataDir);
    const kept = again.db.collection('kept');
    expect(await kept.countDocuments({ a: { $gt: 1, $lt: 3 } })).toBe(1);
    await expect(kept.insertOne({ a: 3 })).rejects.toMatchObject({ code: 11000 });
    await again.close();
  });

  test('data of a newer version is refused with a message', async () => {
    const dataDir = freshFolder();
    await (await startStore({ dataDir, workerUrl: await builtWorker('store/worker') })).stop();
    const storage = openLmdb(join(dataDir, 'store'));
    storage.transact(() => storage.put(Buffer.from('\0format'), encode({ format: 99 })));
    await storage.close();
    const start = startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
    await expect(start).rejects.toThrow(/written by a newer version of Parley \(format 99\)/);
  });
});

describe('TTL indexes', () => {
  const LATE = new Date(1_000_000);

  test('remove expired documents and no others', async () => {
    const store = openBare(SLICE_WORK, freshFolder(), () => LATE);
    const keys = { key: { at: 1 }, name: 'at', expireAfterSeconds: 100 };
    await store.ask({ createIndexes: 'sessions', indexes: [keys] });
    const documents = [{ at: new Date(0) }, { at: new Date(950_000) }, { at: 'never' }, {}];
    await store.ask({ insert: 'sessions', documents });
    expire(store.engine, store.queue);
    await store.queue.idle();
    expect(await store.ask({ count: 'sessions' })).toMatchObject({ n: 3 });
    await store.close();
  });

  test('with a partial filter only remove matching documents', async () => {
    const store = openBare(SLICE_WORK, freshFolder(), () => LATE);
    const keys = { key: { at: 1 }, name: 'at', expireAfterSeconds: 0, partialFilterExpression: { done: true } };
    await store.ask({ createIndexes: 'jobs', indexes: [keys] });
    await store.ask({ insert: 'jobs', documents: [true, false].map((done) => ({ done, at: new Date(0) })) });
    expire(store.engine, store.queue);
    await store.queue.idle();
    expect(await store.ask({ count: 'jobs', query: { done: false } })).toMatchObject({ n: 1 });
    expect(await store.ask({ count: 'jobs' })).toMatchObject({ n: 1 });
    await store.close();
  });

  test('do not start again while a removal runs', async () => {
    const store = openBare(SLICE_WORK, freshFolder(), () => LATE);
    await store.ask({ createIndexes: 'a', indexes: [{ key: { at: 1 }, name: 'at', expireAfterSeconds: 0 }] });
    const running = new Set<number>();
    expire(store.engine, store.queue, running);
    expire(store.engine, store.queue, running);
    expect(running.size).toBe(1);
    await store.queue.idle();
    expect(running.size).toBe(0);
    await store.close();
  });
});
