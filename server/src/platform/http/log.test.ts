import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, newChat, PASSWORD, say, signUp, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import { uploadAsVisitor } from '#test/uploads';
import { UserModel } from '../../features/auth/model.ts';
import { events } from '../events/index.ts';
import { createLog } from './log.ts';

let server: TestServer;
const lines: string[] = [];
const logTo = { write: (line: string) => void lines.push(line) };

beforeAll(async () => {
  server = await startServer({ logLevel: 'trace' }, { logTo });
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

test('a log at the most detailed level has no tokens, passwords, emails, messages or invites', async () => {
  const { user, token } = await signUp(server.api, 'Ana Uncommon');
  const site = await createSite(server.api, token, 'Uncommon Shop');
  await server.api('POST /auth/login', { body: { email: user.email, password: 'wrong-but-mine' } });
  await server.api('POST /auth/register', {
    body: { name: 'Ana', email: user.email, password: PASSWORD, confirmPassword: PASSWORD },
  });
  const invited = { email: 'invited-one@example.com', role: 'agent', siteId: site._id };
  const { invite } = (await server.api('POST /team/invites', { token, body: invited })).body.data;
  await server.api(`GET /invites/${invite._id}`);
  await server.api(`POST /invites/${invite._id}/accept`, { token });
  await fetch(`${server.url}/invite/${invite._id}`, { headers: { Accept: 'text/html' } });
  const session = await visit(server.api, site, { visitor: { name: 'Vera Uncommon', email: 'vera@example.com' } });
  await say(server.api, site, session, 'Nobody may read this');
  const uploaded = await uploadAsVisitor(server, site, session, 'In a file', { name: 'uncommon-name.txt' });
  const { url } = uploaded.body.data.message.file;
  expect((await fetch(server.url + url)).status).toBe(200);
  const chat = await newChat(server.api, site, token, 'Nor may they read that');
  await connectVisitor(server.url, session.visitorToken);
  const desk = await connectStaff(server.url, token);
  const words = { chatId: chat._id, clientId: crypto.randomUUID(), content: 'And not the answer either' };
  await desk.ask('send_message', words);
  await desk.ask('send_message', { ...words, content: { $gt: 'odd words' } });
  await server.api('GET /chats?search=searched-for-words', { token });
  await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"email": "broken@example.com", ',
  });
  const { secret } = (await server.api(`GET /sites/${site._id}/identity-secret`, { token })).body.data;
  const log = lines.join('');
  expect(log).toContain('"path":"/api/invites/:inviteId"');
  expect(log).toContain('"path":"/api/files/:key"');
  const hidden = [token, session.visitorToken, secret, invite._id, PASSWORD, 'wrong-but-mine', url, 'uncommon-name'];
  const said = ['Nobody may', 'Nor may', 'not the answer', 'odd words', 'searched-for', 'Uncommon'];
  for (const word of [...hidden, ...said, '@example.com', 'example.com/']) expect(log).not.toContain(word);
});

test('an error that contains a document is logged without its content', async () => {
  const { user } = await signUp(server.api);
  const { name, email, role } = user;
  const copy = { name, email, role, passwordHash: 'hash-of-mine', createdAt: new Date() };
  const taken = await UserModel.create(copy).catch((error: Error) => error);
  // Some databases that speak MongoDB's protocol keep it out of their errors themselves.
  if (!String(taken).includes(user.email)) Object.assign(taken, { message: `${taken} dup key: { "${user.email}" }` });
  events.fail(taken, 'a test');
  events.fail(new TypeError('x is not a function'), 'a test');
  const log = lines.join('');
  expect(log).toContain('"code":11000');
  expect(log).toContain('x is not a function');
  expect(log).not.toContain(user.email);
  expect(log).not.toContain('hash-of-mine');
});

test('a thrown value that is not an error is logged by its type only', () => {
  const own: string[] = [];
  createLog('info', { write: (line) => void own.push(line) }).error({ err: 'a secret' }, 'failed');
  expect(own.join('')).toContain('"type":"string"');
  expect(own.join('')).not.toContain('a secret');
});

test('an address that cannot be read is refused without a line in the log', async () => {
  const before = lines.length;
  for (const path of ['/%ff', '/api/%ff', '/api/chats/%ff', '/widget/%ff', '/api/widget/%ff/session', '/resume/%ff']) {
    const { status } = await fetch(server.url + path);
    expect([400, 404], path).toContain(status);
  }
  const { status } = await fetch(`${server.url}/widget.js`, { headers: { 'If-Match': '"other"', Range: 'bytes=9-1' } });
  expect(status).toBeLessThan(500);
  expect(lines.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('the same error is logged once a second, with the number of those before that were not', () => {
  const own: { err: { message: string }; repeated?: number }[] = [];
  let now = 0;
  const log = createLog('info', { write: (line) => void own.push(JSON.parse(line)) }, () => now);
  const fail = (message: string) => log.error({ err: new Error(message) }, 'failed');
  for (let time = 0; time < 100; time++) fail('again');
  expect(own).toHaveLength(1);
  log.error({ err: new TypeError('another') }, 'failed');
  log.info({ err: new Error('again') }, 'told');
  expect(own.map(({ err }) => err.message)).toEqual(['again', 'another', 'again']);
  now += 1_000;
  fail('again');
  expect(own.at(-1)).toMatchObject({ err: { message: 'again' }, repeated: 99 });
});
