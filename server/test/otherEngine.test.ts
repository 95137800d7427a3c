import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UserModel } from '../src/features/auth/model.ts';
import { makeResetLink } from '../src/features/auth/reset.ts';
import { checkDatabase } from '../src/features/maintenance/check.ts';
import { connection } from '../src/platform/database/connection.ts';
import { type Account, createSite, join, newChat, PASSWORD, signUp, until } from './factories.ts';
import { startServer, type TestServer } from './harness.ts';
import { type OtherEngine, startOtherEngine } from './otherEngine.ts';

let engine: OtherEngine;
let server: TestServer;
let owner: Account;
let founder: string;

beforeAll(async () => {
  engine = await startOtherEngine();
  server = await startServer({ mongodbUri: engine.uri, sitesPerAccount: 3 });
});
afterAll(async () => {
  await server.stop();
  await engine.stop();
});

const register = (email: string) =>
  server.api('POST /auth/register', {
    body: { name: 'Ana Ruiz', email, password: PASSWORD, confirmPassword: PASSWORD },
  });

test('of several first accounts at once, one is the founder, and each address has one account', async () => {
  const answers = await Promise.all(['ana', 'ben', 'cleo', 'ana'].map((name) => register(`${name}@first.example`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409]);
  const founders = answers.filter(({ body }) => body.data?.user.role === 'parley_admin');
  expect(founders).toHaveLength(1);
  founder = founders[0]?.body.data.token;
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('EMAIL_TAKEN');
  owner = await signUp(server.api);
});

test('of sites and canned replies at once, what is too much or taken is refused as a conflict', async () => {
  const { token } = owner;
  const domain = 'shop.example.com';
  const made = await Promise.all(
    ['1', '2', '3', '4', '5'].map((name) => server.api('POST /sites', { token, body: { name, domain } })),
  );
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409]);
  const siteId = made.find(({ status }) => status === 201)?.body.data.site._id;
  const reply = { siteId, shortcut: 'hello', content: 'Hello!' };
  const [one, two] = await Promise.all(
    [reply, reply].map((body) => server.api('POST /canned-replies', { token, body })),
  );
  expect([one?.status, two?.status].sort()).toEqual([201, 409]);
  const other = await server.api('POST /canned-replies', { token, body: { ...reply, shortcut: 'bye' } });
  const renamed = await server.api(`PATCH /canned-replies/${other.body.data.reply._id}`, {
    token,
    body: { shortcut: 'hello' },
  });
  expect([renamed.status, renamed.body.code]).toEqual([409, 'SHORTCUT_TAKEN']);
});

test('a site is not handed to somebody who has as many as allowed', async () => {
  const [giver, taker] = [await signUp(server.api), await signUp(server.api)];
  const site = await createSite(server.api, giver.token);
  for (let sites = 0; sites < 3; sites++) await createSite(server.api, taker.token);
  await join(site, taker, 'admin');
  const body = { userId: taker.user._id, currentPassword: PASSWORD };
  const handed = await server.api(`POST /sites/${site._id}/owner`, { token: giver.token, body });
  expect([handed.status, handed.body.code]).toEqual([409, 'SITE_LIMIT_REACHED']);
});

test('a search finds words by their beginning, whatever the order in which the database reads', async () => {
  const { token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const texts = ['refund please', 'zebra refused', 'about a reference', 'nothing of it'];
  const chats: string[] = [];
  for (const text of texts) chats.push((await newChat(server.api, site, token, `${text} ${randomUUID()}`))._id);
  const found = async (query: string) => {
    const { body } = await server.api(`GET /search?siteId=${site._id}&q=${query}`, { token });
    return body.data.messages.map(({ chatId }: { chatId: string }) => chatId).sort();
  };
  await until(async () => (await found('nothing')).length === 1);
  expect(await found('refu')).toEqual(chats.slice(0, 2).sort());
  expect(await found('ref')).toEqual(chats.slice(0, 3).sort());
  expect(await found('reference')).toEqual([chats[2]]);
});

test('what is deleted is gone, although the database misses it beside an update', async () => {
  const { token, user } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const chat = await newChat(server.api, site, token);
  const other = await server.api('POST /auth/login', { body: { email: user.email, password: PASSWORD } });
  const form = { name: 'Till', scope: 'manage', currentPassword: PASSWORD };
  const { apiKey, key } = (await server.api('POST /api-keys', { token, body: form })).body.data;
  const guest = { siteId: site._id, email: 'guest@first.example', role: 'agent' };
  const { invite } = (await server.api('POST /team/invites', { token, body: guest })).body.data;
  const status = async (call: string, as: string) => (await server.api(call, { token: as })).status;
  expect(await status(`GET /chats/${chat._id}`, token)).toBe(200);
  expect(await status('GET /sites', key)).toBe(200);

  expect(await status(`DELETE /chats/${chat._id}`, token)).toBe(200);
  expect(await status(`GET /chats/${chat._id}`, token)).toBe(404);
  expect(await status(`DELETE /api-keys/${apiKey._id}`, token)).toBe(200);
  expect(await status('GET /sites', key)).toBe(401);
  expect(await status(`DELETE /team/invites/${invite._id}`, token)).toBe(200);
  expect(await status(`DELETE /team/invites/${invite._id}`, token)).toBe(404);
  expect(await status('POST /auth/logout', other.body.data.token)).toBe(200);
  expect(await status('GET /sites', other.body.data.token)).toBe(401);
});

test('a check counts documents itself, and the fill of the disk is told as unknown', async () => {
  const { db } = connection;
  const { documents, problems } = db ? await checkDatabase(db) : {};
  expect([problems, documents]).toEqual([[], expect.any(Number)]);
  expect(documents).toBeGreaterThan(await UserModel.countDocuments());
  const { body } = await server.api('GET /self-check', { token: founder });
  expect(body.data.storage).toEqual({ writable: true, percentFull: null });
});

test('a link for a new password works once, and a deleted account is gone', async () => {
  const { token, user } = await signUp(server.api);
  const path = await makeResetLink(new Types.ObjectId(user._id), Date.now());
  const body = { token: path.split('#')[1], newPassword: 'another-calm-river' };
  const answers = await Promise.all([body, body].map((body) => server.api('POST /auth/reset', { body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await server.api('GET /sites', { token })).status).toBe(401);
  const login = { email: user.email, password: body.newPassword };
  const again = await server.api('POST /auth/login', { body: login });
  const confirmation = { currentPassword: body.newPassword };
  const gone = await server.api('DELETE /auth/account', { token: again.body.data.token, body: confirmation });
  expect(gone.status).toBe(200);
  expect(await UserModel.countDocuments({ _id: user._id })).toBe(0);
});
