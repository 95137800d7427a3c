import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Site } from '../../contract.ts';
import { type Account, createSite, newChat, signUp, until } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { builtWorker } from '../../test/workers.ts';
import { startStore } from '../store/index.ts';
import { MessageModel } from './model.ts';

const INSERT_OF_MESSAGES = Buffer.from('\x02insert\0\x09\0\0\0messages\0', 'latin1');

let proxy: Awaited<ReturnType<typeof startProxy>>;
let server: TestServer;
let owner: Account;
let site: Site;
let chat: Awaited<ReturnType<typeof newChat>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-primary-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  proxy = await startProxy(decodeURIComponent(/^mongodb:\/\/([^/]+)/.exec(store.uri)?.[1] ?? ''));
  server = await startServer({ mongodbUri: `mongodb://127.0.0.1:${proxy.port}/parley?directConnection=true` });
  stop = async () => {
    await server.stop();
    await proxy.stop();
    await store.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
  chat = await newChat(server.api, site, owner.token);
});
afterAll(() => stop());

test.each([
  ['before the database gets it', false],
  ['before its answer arrives', true],
])('an answer is stored once and acknowledged when the database connection breaks %s', async (name, isForwarded) => {
  proxy.breakAt(INSERT_OF_MESSAGES, isForwarded);
  const call = `POST /chats/${chat._id}/messages`;
  const { status } = await server.api(call, { token: owner.token, body: { content: name } });
  expect([200, 201]).toContain(status);
  expect(proxy.breaks()).toBe(isForwarded ? 2 : 1);
  expect(await MessageModel.countDocuments({ chat: chat._id, content: name })).toBe(1);
  await until(async () => {
    const answer = await server.api(`GET /chats/${chat._id}`, { token: owner.token });
    return answer.body.data.chat.lastMessage === name;
  });
});

/** A database's address that breaks all connections once, when a given text passes. */
async function startProxy(socketPath: string) {
  let [wanted, isForwarded, breaks]: [Buffer | null, boolean, number] = [null, false, 0];
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(socketPath);
    for (const side of [client, database]) {
      open.add(side);
      side.on('error', () => {});
      side.on('close', () => {
        open.delete(side);
        client.destroy();
        database.destroy();
      });
    }
    database.pipe(client);
    client.on('data', (chunk: Buffer) => {
      const isHit = wanted !== null && chunk.includes(wanted);
      if (isHit && isForwarded) database.unpipe(client);
      if (!isHit || isForwarded) database.write(chunk);
      if (!isHit) return;
      wanted = null;
      breaks++;
      const breakAll = () => {
        for (const socket of open) socket.destroy();
      };
      if (isForwarded) database.once('data', breakAll).resume();
      else breakAll();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    breaks: () => breaks,
    breakAt(text: Buffer, afterForwarding: boolean): void {
      [wanted, isForwarded] = [text, afterForwarding];
    },
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
