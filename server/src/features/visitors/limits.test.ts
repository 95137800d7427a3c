import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { createSite, newChat, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectVisitor, hangUp } from '#test/sockets';
import { uploadAsVisitor, uploadToChat } from '#test/uploads';
import type { Site, VisitorSession } from '../../../contract.ts';
import type { ChangedLimits } from '../../platform/http/limits/limits.ts';

let server: TestServer | undefined;
afterEach(async () => {
  hangUp();
  await server?.stop();
});

/** A server with these limits, behind a proxy of the machine's own; its owner and site. */
async function started(limits: ChangedLimits) {
  const running = await startServer({ rateLimits: true, limits });
  server = running;
  const { token } = await signUp(running.api);
  return { server: running, token, site: await createSite(running.api, token) };
}

const from = (address: string) => ({ 'X-Forwarded-For': address });

async function write({ api }: TestServer, site: Site, token: string, address = '198.51.100.1') {
  const body = { clientId: randomUUID(), content: 'Hello' };
  return (await api(`POST /widget/${site.widgetCode}/messages`, { token, body, headers: from(address) })).status;
}

test('messages of one address are limited together for all its visitors, over HTTP and sockets', async () => {
  const { server, site } = await started({ visitorMessagesPerAddress: 3 });
  const [one, two] = [await visit(server.api, site), await visit(server.api, site)];
  expect(await write(server, site, one.visitorToken)).toBe(201);
  expect(await write(server, site, two.visitorToken)).toBe(201);
  const { ask } = await connectVisitor(server.url, two.visitorToken, from('198.51.100.1'));
  const say = () => ask('send_message', { clientId: randomUUID(), content: 'By socket' });
  expect(await say()).toMatchObject({ ok: true });
  expect(await say()).toMatchObject({ ok: false, code: 'RATE_LIMITED' });
  expect(await write(server, site, one.visitorToken)).toBe(429);
  expect(await write(server, site, one.visitorToken, '198.51.100.2')).toBe(201);
});

test('messages of a site from all addresses are limited', async () => {
  const { server, site, token } = await started({ visitorMessagesPerSite: 2 });
  const { visitorToken } = await visit(server.api, site);
  expect(await write(server, site, visitorToken, '198.51.100.1')).toBe(201);
  expect(await write(server, site, visitorToken, '198.51.100.2')).toBe(201);
  expect(await write(server, site, visitorToken, '198.51.100.3')).toBe(429);
  const other = await createSite(server.api, token, 'Another');
  expect(await write(server, other, (await visit(server.api, other)).visitorToken)).toBe(201);
});

test('new chats of one address are limited; open ones continue', async () => {
  const { server, site } = await started({ newChatsPerAddress: 2 });
  const [one, two, three] = [
    await visit(server.api, site),
    await visit(server.api, site),
    await visit(server.api, site),
  ];
  expect(await write(server, site, one.visitorToken)).toBe(201);
  expect(await write(server, site, two.visitorToken)).toBe(201);
  expect(await write(server, site, three.visitorToken)).toBe(429);
  expect(await write(server, site, one.visitorToken)).toBe(201);
});

test('files are limited for each visitor and each site', async () => {
  const { server, site } = await started({ visitorFiles: 1, visitorFilesPerSite: 2 });
  const [one, two, three] = [
    await visit(server.api, site),
    await visit(server.api, site),
    await visit(server.api, site),
  ];
  const upload = async (session: VisitorSession) => (await uploadAsVisitor(server, site, session, 'some words')).status;
  expect(await upload(one)).toBe(201);
  expect(await upload(one)).toBe(429);
  expect(await upload(two)).toBe(201);
  expect(await upload(three)).toBe(429);
});

test('answers, notes and files are limited for each staff account', async () => {
  const { server, site, token } = await started({ staffMessagesPerAccount: 2, staffFilesPerAccount: 1 });
  const chat = await newChat(server.api, site, token);
  const post = async (kind: string) =>
    (await server.api(`POST /chats/${chat._id}/${kind}`, { token, body: { clientId: randomUUID(), content: 'Hi' } }))
      .status;
  expect([await post('messages'), await post('notes'), await post('messages'), await post('notes')]).toEqual([
    201, 201, 429, 429,
  ]);
  expect((await uploadToChat(server, token, chat._id, 'some words')).status).toBe(201);
  expect((await uploadToChat(server, token, chat._id, 'some words')).status).toBe(429);
  const avatar =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
  expect((await server.api('PUT /auth/profile', { token, body: { avatar } })).status).toBe(429);
  expect((await server.api('PUT /auth/profile', { token, body: { avatar: null } })).status).toBe(200);
});

test('new visitors of an address are limited for each day', async () => {
  const { server, site } = await started({ visitorPerIpAndDay: 1 });
  const { visitorToken } = await visit(server.api, site);
  expect(visitorToken).toBeTruthy();
  expect(await visit(server.api, site)).toBeUndefined();
  expect((await visit(server.api, site, { visitorToken })).visitorToken).toBe(visitorToken);
});

test("an offline message over the limit is refused before the visitor's name is stored", async () => {
  const { server, site, token } = await started({ visitorMessages: 1 });
  const { visitorToken } = await visit(server.api, site);
  const leave = (name: string) => {
    const body = { clientId: randomUUID(), content: 'Hello', name, email: 'vera@example.com' };
    return server.api(`POST /widget/${site.widgetCode}/offline`, { token: visitorToken, body });
  };
  const left = await leave('Vera');
  expect(left.status).toBe(201);
  expect((await leave('Eve')).status).toBe(429);
  const { chat } = (await server.api(`GET /chats/${left.body.data.chat._id}`, { token })).body.data;
  expect(chat.visitorInfo.name).toBe('Vera');
});

test('new websites of an account are limited for each hour, also when it deletes some', async () => {
  const { server, site, token } = await started({ newSitesPerAccount: 2 });
  const make = () => server.api('POST /sites', { token, body: { name: 'Next', domain: 'next.example.com' } });
  await server.api(`DELETE /sites/${site._id}`, { token });
  expect((await make()).status).toBe(201);
  expect((await make()).status).toBe(429);
});
