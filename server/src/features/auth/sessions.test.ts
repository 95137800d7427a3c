import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import { events } from '../../platform/events/index.ts';
import { SessionModel, type UserDoc, UserModel } from './model.ts';
import { createSessions } from './sessions.ts';

const SECRET = 'for these tests only';
const HOUR_MS = 3_600_000;

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

async function account(): Promise<UserDoc> {
  const { user } = await signUp(server.api);
  return (await UserModel.findById(user._id).lean<UserDoc>()) ?? expect.fail();
}

test('a session that ends while it is read stays ended', async () => {
  const sessions = createSessions({ secret: SECRET, now: Date.now });
  const user = await account();
  for (let round = 0; round < 20; round++) {
    const key = sessions.keyOf(await sessions.open(user, 'A browser'));
    const lookUps = Array.from({ length: 3 }, () => sessions.caller(key));
    const ending = sessions.end(user._id, key.sessionId, 'signed_out');
    await Promise.allSettled(lookUps);
    expect(await ending).toBe(true);
    await expect(sessions.caller(key)).rejects.toMatchObject({ status: 401 });
    expect(await sessions.isAlive(key.sessionId)).toBe(false);
  }
});

test('an account suspended while its session is read is refused afterwards', async () => {
  const sessions = createSessions({ secret: SECRET, now: Date.now });
  const user = await account();
  const key = sessions.keyOf(await sessions.open(user, 'A browser'));
  const lookUp = sessions.caller(key);
  await UserModel.updateOne({ _id: user._id }, { $set: { suspendedAt: new Date() } });
  await lookUp.catch(() => undefined);
  await expect(sessions.caller(key)).rejects.toMatchObject({ status: 401 });
});

test('above the limit of sessions the least recently used one ends', async () => {
  let ahead = 0;
  const sessions = createSessions({ secret: SECRET, now: () => Date.now() + ahead, maxPerUser: 3 });
  const user = await account();
  await SessionModel.deleteMany({ user: user._id });
  const keys = [];
  for (let device = 0; device < 3; device++) {
    keys.push(sessions.keyOf(await sessions.open(user, 'A browser')));
    ahead += HOUR_MS;
  }
  const [first, second, third] = keys;
  await sessions.caller(first ?? expect.fail());
  ahead += HOUR_MS;
  await sessions.open(user, 'One more');
  expect(await SessionModel.countDocuments({ user: user._id })).toBe(3);
  await expect(sessions.caller(second ?? expect.fail())).rejects.toMatchObject({ status: 401 });
  expect((await sessions.caller(first ?? expect.fail())).user._id).toEqual(user._id);
  expect((await sessions.caller(third ?? expect.fail())).user._id).toEqual(user._id);
});

test('a socket with a replaced token is disconnected, and can reconnect with the new token', async () => {
  const { token } = await signUp(server.api);
  const ear = await connectStaff(server.url, token);
  const { body } = await server.api('POST /auth/refresh', { token, body: {} });
  expect((await ear.ask('sync', { chats: [] })).ok).toBe(true);
  server.advance(2 * 60_000);
  expect(await ear.ask('sync', { chats: [] })).toMatchObject({ ok: false, code: 'UNAUTHORIZED' });
  await expect.poll(() => ear.socket.connected).toBe(false);
  expect((await (await connectStaff(server.url, body.data.token)).ask('sync', { chats: [] })).ok).toBe(true);
});

test('verifying a token with a prepared key costs a fraction of verifying with a string', async () => {
  const sessions = createSessions({ secret: SECRET, now: Date.now });
  const token = await sessions.open(await account(), 'A browser');
  const timeOf = (check: () => unknown) => {
    const began = performance.now();
    for (let n = 0; n < 200; n++) check();
    return performance.now() - began;
  };
  const asString = () => jwt.verify(token, SECRET, { algorithms: ['HS256'] });
  const rounds = Array.from({ length: 5 }, () => timeOf(() => sessions.keyOf(token)) / timeOf(asString));
  expect(Math.min(...rounds)).toBeLessThan(1 / 3);
});

test('reading calls work although the last use of the session cannot be stored', async () => {
  let now = Date.now();
  const failed: unknown[] = [];
  events.reportTo((error) => failed.push(error));
  const sessions = createSessions({ secret: SECRET, now: () => now });
  const user = await account();
  const key = sessions.keyOf(await sessions.open(user, 'A browser'));
  now += HOUR_MS;
  // The store refuses the write: another session has that very moment already.
  await SessionModel.updateOne(
    { user: user._id, _id: { $ne: key.sessionId } },
    { $set: { lastUsedAt: new Date(now) } },
  );
  await SessionModel.collection.createIndex({ lastUsedAt: 1 }, { name: 'refuses', unique: true });
  try {
    expect((await sessions.caller(key)).user._id).toEqual(user._id);
    expect(failed).toHaveLength(1);
  } finally {
    await SessionModel.collection.dropIndex('refuses');
  }
});
