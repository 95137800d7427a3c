import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { builtWorker } from '#test/workers';
import { startRelay } from '../../../../../scripts/cluster/relay.js';
import type { Site } from '../../../../contract.ts';
import { startStore } from '../../../store/index.ts';
import { MessageModel } from '../messageModel.ts';

const INSERT_OF_MESSAGES = Buffer.from('\x02insert\0\x09\0\0\0messages\0', 'latin1');

let database: Awaited<ReturnType<typeof startFragileRelay>>;
let server: TestServer;
let owner: Account;
let site: Site;
let chat: Awaited<ReturnType<typeof newChat>>;
let stop: () => Promise<void>;

beforeAll(async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'parley-primary-'));
  const store = await startStore({ dataDir, workerUrl: await builtWorker('store/worker') });
  database = await startFragileRelay(decodeURIComponent(new URL(store.uri).host));
  server = await startServer({ mongodbUri: `mongodb://127.0.0.1:${database.port}/parley?directConnection=true` });
  stop = async () => {
    await server.stop();
    await database.stop();
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
  database.breakAt(INSERT_OF_MESSAGES, isForwarded);
  const call = `POST /chats/${chat._id}/messages`;
  const { status } = await server.api(call, { token: owner.token, body: { content: name } });
  expect([200, 201]).toContain(status);
  expect(database.isBroken()).toBe(true);
  expect(await MessageModel.countDocuments({ chat: chat._id, content: name })).toBe(1);
  await until(async () => {
    const answer = await server.api(`GET /chats/${chat._id}`, { token: owner.token });
    return answer.body.data.chat.lastMessage === name;
  });
});

/** An address of the database whose connections all break, once, when a given text passes, or when it is answered. */
async function startFragileRelay(path: string) {
  let [wanted, isForwarded, isBroken]: [Buffer | null, boolean, boolean] = [null, false, false];
  let answering: Socket | null = null;

  function breakAll(): false {
    isBroken = true;
    relay.cut(true);
    relay.cut(false);
    return false;
  }

  function passes(bytes: Buffer, from: Socket, to: Socket): boolean {
    if (from === answering) return breakAll();
    if (!wanted || !bytes.includes(wanted)) return true;
    wanted = null;
    if (!isForwarded) return breakAll();
    answering = to;
    return true;
  }

  const relay = await startRelay(() => ({ path }), passes);
  return {
    port: relay.port,
    isBroken: () => isBroken,
    breakAt(text: Buffer, afterForwarding: boolean): void {
      [wanted, isForwarded, isBroken] = [text, afterForwarding, false];
    },
    stop: relay.stop,
  };
}
