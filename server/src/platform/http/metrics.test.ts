import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, newChat, PASSWORD, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

/** The value of a sample without labels. */
const value = async (name: string) => Number((await metrics()).match(new RegExp(`^${name} (.+)$`, 'm'))?.[1]);
const metrics = async () => (await fetch(`${server.url}/metrics`)).text();

/** The value of the one sample that has all these labels. */
async function sample(name: string, labels: Record<string, string>): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = (await metrics())
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && wanted.every((label) => each.includes(label)));
  return Number(line?.split(' ').at(-1) ?? 0);
}

test('the metrics of process and product can be read by Prometheus', async () => {
  const answer = await fetch(`${server.url}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  for (const name of ['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds', 'parley_sockets_open'])
    expect(text).toContain(name);
});

test('the metrics are for monitoring in the own network, and not for the internet', async () => {
  const from = async (address: string) =>
    (await fetch(`${server.url}/metrics`, { headers: { 'X-Forwarded-For': address } })).status;
  for (const address of ['10.1.2.3', '192.168.1.9', '172.18.0.5', 'fd00::7', '::1'])
    expect(await from(address)).toBe(200);
  for (const address of ['8.8.8.8', '::ffff:8.8.8.8', '2606:4700::1111']) expect(await from(address)).toBe(404);
});

test('requests are counted by route pattern, whether they succeed or fail', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const name = 'parley_http_request_duration_seconds_count';
  const labels = { route: '/api/sites/:id', method: 'GET' };
  await server.api(`GET /sites/${site._id}`, { token });
  await server.api('GET /sites/aaaaaaaaaaaaaaaaaaaaaaaa', { token });
  await server.api('GET /no/such/call/at/all', { token });
  expect(await sample(name, { ...labels, status: '200' })).toBe(1);
  expect(await sample(name, { ...labels, status: '404' })).toBe(1);
  const text = await metrics();
  for (const secret of [site._id, token, 'such', '@', PASSWORD]) expect(text).not.toContain(secret);
});

test('open sockets, acknowledgements and stored messages are counted', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const desk = await connectStaff(server.url, token);
  const widget = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  expect(await sample('parley_sockets_open', { namespace: '/' })).toBe(1);
  expect(await sample('parley_sockets_open', { namespace: '/visitor' })).toBe(1);
  const chat = await newChat(server.api, site, token);
  await desk.ask('claim_chat', { chatId: chat._id });
  await desk.ask('claim_chat', { chatId: 'aaaaaaaaaaaaaaaaaaaaaaaa' });
  const acks = { namespace: '/', event: 'claim_chat' };
  await until(async () => (await sample('parley_socket_acks_total', { ...acks, outcome: 'OK' })) === 1);
  await until(async () => (await sample('parley_socket_acks_total', { ...acks, outcome: 'CHAT_NOT_FOUND' })) === 1);
  await until(async () => (await sample('parley_messages_stored_total', { sender: 'visitor' })) === 1);
  widget.socket.disconnect();
  await until(async () => (await sample('parley_sockets_open', { namespace: '/visitor' })) === 0);
});

test('writes to the store are timed, and messages that wait to be in the row of their chat are seen', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const writes = (command: string) => sample('parley_store_write_duration_seconds_count', { command });
  const before = { insert: await writes('insert'), update: await writes('update') };
  const widget = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  // Only the first message of a visitor who goes on writing is in the row at once.
  await until(async () => {
    await widget.ask('send_message', { clientId: randomUUID(), content: 'And another thing' });
    return (await value('parley_projection_lag_seconds')) > 0;
  });
  await until(async () => (await value('parley_projection_lag_seconds')) === 0);
  expect(await writes('insert')).toBeGreaterThan(before.insert);
  expect(await writes('update')).toBeGreaterThan(before.update);
});
