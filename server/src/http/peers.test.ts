import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MESSAGE_MAX_LENGTH, MESSAGE_PAGE, type Site } from '../../contract.ts';
import { type Account, createSite, newChat, signUp, until } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { connectStaff, type Ear, hangUp } from '../../test/sockets.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ rateLimits: true });
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

/** The connection under an ear, which can be left unread. */
const lineOf = ({ socket }: Ear) =>
  (socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }).ws;

/** How many dashboards the server counts. */
async function online(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(metrics.match(/^parley_sockets_open\{[^}]*namespace="\/"[^}]*\} (\d+)/m)?.[1]);
}

test('who does not take what is sent is cut off, and nobody else notices', async () => {
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  const other = await connectStaff(server.url, owner.token);
  const content = '…'.repeat(MESSAGE_MAX_LENGTH);
  for (let i = 0; i < MESSAGE_PAGE; i++) await other.ask('send_message', { chatId, clientId: randomUUID(), content });

  const asked = 20;
  let taken = 0;
  const slow = await connectStaff(server.url, owner.token);
  lineOf(slow).pause();
  for (let i = 0; i < asked; i++) slow.socket.emit('sync', { chats: [{ chatId, afterSeq: 0 }] }, () => taken++);
  await until(async () => (await online()) === 1);
  lineOf(slow).resume();
  await until(async () => !slow.socket.connected);
  expect(taken).toBeLessThan(asked);
  expect(other.socket.connected).toBe(true);
});

test('a packet of more than 64 kB ends its own connection only', async () => {
  const [loud, other] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, owner.token)];
  loud.socket.emit('sync', { chats: [], cursor: 'x'.repeat(70_000) }, () => {});
  await until(async () => !loud.socket.connected);
  expect((await other.ask('sync', { chats: [] })).ok).toBe(true);
});

test('who sends without measure is cut off, and nobody else notices', async () => {
  const [loud, other] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, owner.token)];
  for (let i = 0; i < 1_500; i++) loud.socket.emit('no_such_event');
  await until(async () => !loud.socket.connected);
  expect((await other.ask('sync', { chats: [] })).ok).toBe(true);
});
