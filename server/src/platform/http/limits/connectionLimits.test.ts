import { randomBytes, randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, type Ear, hangUp } from '#test/sockets';
import { MESSAGE_MAX_LENGTH, MESSAGE_PAGE, type Site } from '../../../../contract.ts';

/** Less than in earnest, and more than a connection needs that is read. */
const STUCK_MAX_MS = 1_500;
const HANDSHAKE_MAX_MS = 100;

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer({ rateLimits: true }, { peerTimeouts: { stuck: STUCK_MAX_MS } });
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

/** How often an event of dashboards was answered with success. */
async function answered(event: string): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const line = metrics.split('\n').find((each) => each.includes(`event="${event}"`) && each.includes('outcome="OK"'));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('a client that does not read its data is disconnected, and others are not affected', async () => {
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  const other = await connectStaff(server.url, owner.token);
  const content = '…'.repeat(MESSAGE_MAX_LENGTH);
  for (let i = 0; i < MESSAGE_PAGE; i++) await other.ask('send_message', { chatId, clientId: randomUUID(), content });

  const asked = 20;
  let taken = 0;
  const slow = await connectStaff(server.url, owner.token);
  lineOf(slow).pause();
  const before = await answered('sync');
  for (let i = 0; i < asked; i++) slow.socket.emit('sync', { chats: [{ chatId, afterSeq: 0 }] }, () => taken++);
  await until(async () => (await online()) === 1);
  // What is asked while the last answer is not taken is not even looked up.
  expect((await answered('sync')) - before).toBeLessThan(asked);
  lineOf(slow).resume();
  await until(async () => !slow.socket.connected);
  expect(taken).toBeLessThan(asked);
  expect(other.socket.connected).toBe(true);
});

test('a long-polling client that never fetches answers is disconnected before many are prepared', async () => {
  const { _id: chatId } = await newChat(server.api, site, owner.token);
  const other = await connectStaff(server.url, owner.token);
  const content = '…'.repeat(MESSAGE_MAX_LENGTH);
  for (let i = 0; i < MESSAGE_PAGE; i++) await other.ask('send_message', { chatId, clientId: randomUUID(), content });

  const polling = `${server.url}/socket.io/?EIO=4&transport=polling`;
  const { sid } = JSON.parse((await (await fetch(polling)).text()).slice(1));
  const send = async (body: string) => (await fetch(`${polling}&sid=${sid}`, { method: 'POST', body })).status;
  await send(`40${JSON.stringify({ token: owner.token })}`);
  await (await fetch(`${polling}&sid=${sid}`)).text();
  const before = await answered('sync');
  const asked = 20;
  const sync = JSON.stringify(['sync', { chats: [{ chatId, afterSeq: 0 }] }]);
  await send(Array.from({ length: asked }, (_, i) => `42${i}${sync}`).join('\u001e'));
  await until(async () => (await send('3')) === 400);
  expect((await answered('sync')) - before).toBeLessThan(asked);
  expect(other.socket.connected).toBe(true);
});

test('a packet of more than 64 kB ends its own connection only', async () => {
  const [loud, other] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, owner.token)];
  loud.socket.emit('sync', { chats: [], cursor: 'x'.repeat(70_000) }, () => {});
  await until(async () => !loud.socket.connected);
  expect((await other.ask('sync', { chats: [] })).ok).toBe(true);
});

test('a client that floods the server is disconnected, and others are not affected', async () => {
  const [loud, other] = [await connectStaff(server.url, owner.token), await connectStaff(server.url, owner.token)];
  for (let i = 0; i < 1_500; i++) loud.socket.emit('no_such_event');
  await until(async () => !loud.socket.connected);
  expect((await other.ask('sync', { chats: [] })).ok).toBe(true);
});

// The last one: nobody else comes in in time any more.
test('a client that never authenticates is disconnected after the handshake timeout', async () => {
  await server.stop();
  server = await startServer({}, { peerTimeouts: { handshake: HANDSHAKE_MAX_MS } });
  const { port } = new URL(server.url);
  const line = connect(Number(port), '127.0.0.1');
  const handshake = ['Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const key = `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`;
  line.write(`GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n${[...handshake, key].join('\r\n')}\r\n\r\n`);
  let gone = false;
  line.on('close', () => {
    gone = true;
  });
  line.on('error', () => {});
  line.resume();
  await until(async () => gone);
});
