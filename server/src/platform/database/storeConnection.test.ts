import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { builtWorker } from '#test/workers';
import { type Store, startStore } from '../../store/index.ts';
import { connectToStore, type StoreConnection, StoreConnectionError } from './storeConnection.ts';

/** Long enough for any answer of a busy machine. */
const PATIENT_MS = 60_000;
const IMPATIENT_MS = 50;

let dataDir: string;
let store: Store;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-direct-'));
  store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
});
afterAll(async () => {
  await store.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function connected(socketPath = store.socketPath, silentMaxMs = PATIENT_MS): StoreConnection {
  const connection = connectToStore(socketPath, silentMaxMs);
  onTestFinished(() => connection.close());
  return connection;
}

/** A store's address where connections are handled like this. */
async function listening(handle: (client: Socket) => void): Promise<string> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client);
    client.on('error', () => {});
    handle(client);
  });
  const address = path.join(dataDir, `${new mongoose.Types.ObjectId()}.sock`);
  server.listen(address);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const client of clients) client.destroy();
    server.close();
  });
  return address;
}

const find = (connection: StoreConnection, _id: unknown) =>
  connection
    .command<{ cursor: { firstBatch: object[] } }>('own', { find: 'things', filter: { _id } })
    .then(({ cursor }) => cursor.firstBatch);

test('commands are carried out, also many at a time, and undefined fields are left out', async () => {
  const connection = connected();
  const id = new mongoose.Types.ObjectId();
  const insert = (n: number) => {
    const documents = [{ _id: n, at: new Date(n), id, none: undefined }];
    return connection.command<{ n: number }>('own', { insert: 'things', documents, comment: undefined });
  };
  const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => insert(n)));
  expect(answers.every(({ n }) => n === 1)).toBe(true);
  expect(await find(connection, 7)).toEqual([{ _id: 7, at: new Date(7), id }]);
});

test("a refusal is thrown with MongoDB's code, and the connection goes on", async () => {
  const connection = connected();
  const refused = connection.command('own', { insert: 'things', documents: 'none' });
  await expect(refused).rejects.toMatchObject({ code: 9, message: expect.stringContaining('documents') });
  expect(await find(connection, 'nobody')).toEqual([]);
});

test('an answer that arrives in pieces is read as a whole', async () => {
  const address = await listening((client) => {
    const upstream = connect(store.socketPath);
    client.pipe(upstream).on('close', () => client.destroy());
    client.setNoDelay();
    upstream.on('data', (bytes) => {
      const pieces = [bytes.subarray(0, 3), bytes.subarray(3, 30), bytes.subarray(30)];
      const sendNext = () => {
        const piece = pieces.shift();
        if (piece) client.write(piece, () => setImmediate(sendNext));
      };
      sendNext();
    });
    client.on('close', () => upstream.destroy());
  });
  expect(await find(connected(address), 'nobody')).toEqual([]);
});

test('a store that is silent makes a command fail after a while, and the next one is sent over a new connection', async () => {
  let clients = 0;
  const address = await listening((client) => {
    if (clients++ > 0) client.pipe(connect(store.socketPath)).pipe(client);
  });
  const connection = connected(address, IMPATIENT_MS);
  await expect(find(connection, 'nobody')).rejects.toThrow(StoreConnectionError);
  await expect.poll(() => find(connection, 'nobody').catch(() => null)).toEqual([]);
});

test('a command fails when the store closes the connection, and when there is no store', async () => {
  const address = await listening((client) => client.once('data', () => client.destroy()));
  await expect(find(connected(address), 1)).rejects.toThrow(StoreConnectionError);
  await expect(find(connected(path.join(dataDir, 'nothing.sock')), 1)).rejects.toThrow(StoreConnectionError);
});

test('a connection that the store has closed after an answer is not used again', async () => {
  const address = await listening((client) => {
    const upstream = connect(store.socketPath);
    client.pipe(upstream);
    upstream.once('data', (bytes) => client.end(bytes));
  });
  const connection = connected(address);
  for (let round = 0; round < 3; round++)
    await expect.poll(() => find(connection, 'nobody').catch(() => null)).toEqual([]);
});

test('after the connection is closed, commands fail', async () => {
  const connection = connected(await listening(() => {}));
  const waiting = find(connection, 1);
  connection.close();
  await expect(waiting).rejects.toThrow(StoreConnectionError);
  await expect(find(connection, 1)).rejects.toThrow(StoreConnectionError);
});
