import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, hangUp } from '#test/sockets';
import { SiteModel } from '../sites/model.ts';
import { InviteModel } from '../team/model.ts';
import { SessionModel } from './model.ts';

const HOUR_MS = 3_600_000;
const UNKNOWN_ID = 'aaaaaaaaaaaaaaaaaaaaaaaa';
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

async function logIn({ user, password }: Account, userAgent: string): Promise<string> {
  const asked = { body: { email: user.email, password }, headers: { 'User-Agent': userAgent } };
  return (await server.api('POST /auth/login', asked)).body.data.token;
}

const devices = async (token: string) => (await server.api('GET /auth/sessions', { token })).body.data.sessions;

test('signed-in devices are listed by last use, without secrets', async () => {
  const ana = await signUp(server.api);
  server.advance(HOUR_MS);
  const phone = await logIn(ana, 'Phone');
  server.advance(HOUR_MS);
  const list = await devices(ana.token);
  expect(list).toEqual([
    { _id: expect.any(String), current: true, userAgent: expect.any(String), ...times },
    { _id: expect.any(String), current: false, userAgent: 'Phone', ...times },
  ]);
  expect(list[0].lastUsedAt > list[1].lastUsedAt).toBe(true);
  expect((await devices(phone)).map(({ current }: { current: boolean }) => current)).toEqual([true, false]);
});

const times = {
  createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  lastUsedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
};

test('a device with an expired session is not listed', async () => {
  const ana = await signUp(server.api);
  await logIn(ana, 'Forgotten');
  server.advance(20 * HOUR_MS);
  expect(await devices(ana.token)).toHaveLength(2);
  server.advance(5 * HOUR_MS);
  expect(await devices(ana.token)).toHaveLength(1);
});

test('removing a device signs it out and disconnects its sockets', async () => {
  const ana = await signUp(server.api);
  const phone = await logIn(ana, 'Phone');
  const ear = await connectStaff(server.url, phone);
  const closed = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  const [, other] = (await devices(ana.token)).sort((a: { current: boolean }) => (a.current ? -1 : 1));
  expect((await server.api(`DELETE /auth/sessions/${other._id}`, { token: ana.token })).status).toBe(200);
  await closed;
  expect(ear.heard('session_ended')).toEqual([{ reason: 'signed_out' }]);
  expect((await server.api('GET /auth/profile', { token: phone })).status).toBe(401);
  expect(await devices(ana.token)).toHaveLength(1);
});

test('the device of another account and an unknown one get the same answer and stay signed in', async () => {
  const [ana, ben] = [await signUp(server.api), await signUp(server.api)];
  const [foreign] = await devices(ben.token);
  const end = (id: string) => server.api(`DELETE /auth/sessions/${id}`, { token: ana.token });
  const unknown = await end(UNKNOWN_ID);
  expect(unknown.status).toBe(404);
  expect((await end(foreign._id)).body).toEqual(unknown.body);
  expect((await end('none')).status).toBe(400);
  expect((await server.api('GET /auth/profile', { token: ben.token })).status).toBe(200);
  expect((await server.api('GET /auth/sessions')).status).toBe(401);
});

test('devices, owned sites and open invites are found by index', async ({ skip }) => {
  await needPlans(skip);
  const user = UNKNOWN_ID;
  const alive = { lastUsedAt: { $gt: new Date(0) }, expiresAt: { $gt: new Date(0) } };
  const plans = await Promise.all([
    SessionModel.find({ user, ...alive })
      .sort({ lastUsedAt: -1 })
      .limit(100)
      .explain('queryPlanner'),
    SiteModel.find({ owner: user, ownerSlot: { $exists: true }, deletedAt: null }).explain('queryPlanner'),
    InviteModel.find({ email: 'a@example.com', acceptedBy: null, expiresAt: { $gt: new Date(0) } }).explain(
      'queryPlanner',
    ),
  ]);
  for (const plan of plans) {
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  }
});
