import { afterEach, expect, test } from 'vitest';
import { createSite, PASSWORD } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import type { Env } from '../../platform/env/index.ts';
import { SiteModel } from '../sites/model.ts';
import { InviteModel } from '../team/model.ts';
import { foundingCodeOf } from './signup.ts';

const JWT_SECRET = 'k3'.repeat(16);
const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(env: Partial<Env>) {
  const server = await startServer(env);
  servers.push(server);
  const register = (email: string, more: object = {}) =>
    server.api('POST /auth/register', {
      body: { name: 'Ana', email, password: PASSWORD, confirmPassword: PASSWORD, ...more },
    });
  const invite = async (token: string, siteId: string, email: string, role = 'agent'): Promise<string> => {
    const { body } = await server.api('POST /team/invites', { token, body: { email, role, siteId } });
    return body.data.invite._id;
  };
  return { server, register, invite };
}

test('nobody can sign up when sign-up is closed', async () => {
  const { register } = await start({ signup: 'closed' });
  const { status, body } = await register('first@example.com');
  expect([status, body.code]).toEqual([403, 'SIGNUP_CLOSED']);
});

test('when sign-up needs an invite, the first account needs none, also with concurrent calls', async () => {
  const { register } = await start({ signup: 'invited' });
  const answers = await Promise.all(
    ['a@example.com', 'b@example.com', 'c@example.com'].map((email) => register(email)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  expect(answers.find(({ status }) => status === 201)?.body.data.user.role).toBe('parley_admin');
});

test('after that, an invite lets only its address sign up', async () => {
  const { server, register, invite } = await start({ signup: 'invited' });
  const { token } = (await register('owner@example.com')).body.data;
  const site = await createSite(server.api, token);
  const [ben, late] = [
    await invite(token, site._id, 'ben@example.com'),
    await invite(token, site._id, 'late@example.com'),
  ];
  await InviteModel.updateOne({ _id: late }, { $set: { expiresAt: new Date(0) } });
  const tries: [string, object][] = [
    ['stranger@example.com', {}],
    ['ben@example.com', {}],
    ['ben@example.com', { invite: 'A'.repeat(22) }],
    ['stranger@example.com', { invite: ben }],
    ['late@example.com', { invite: late }],
  ];
  for (const [email, more] of tries) {
    const refused = await register(email, more);
    expect([refused.status, refused.body.code]).toEqual([403, 'SIGNUP_CLOSED']);
  }
  expect((await register('ben@example.com', { invite: { $gt: '' } })).status).toBe(422);
  const joined = await register('Ben@Example.com', { invite: ben });
  expect(joined.status).toBe(201);
  const accepted = await server.api(`POST /invites/${ben}/accept`, { token: joined.body.data.token });
  expect(accepted.status).toBe(200);
});

test('an invite by an invited account only lets new people sign up when a platform admin is on the team', async () => {
  const { server, register, invite } = await start({ signup: 'invited' });
  const owner = (await register('owner@example.com')).body.data;
  const site = await createSite(server.api, owner.token);
  const first = await invite(owner.token, site._id, 'ben@example.com', 'admin');
  const ben = (await register('ben@example.com', { invite: first })).body.data;
  await server.api(`POST /invites/${first}/accept`, { token: ben.token });
  expect(
    (await register('cleo@example.com', { invite: await invite(ben.token, site._id, 'cleo@example.com') })).status,
  ).toBe(201);

  const own = await createSite(server.api, ben.token, 'A site of his own');
  const friend = await invite(ben.token, own._id, 'friend@example.com');
  const refused = await register('friend@example.com', { invite: friend });
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringMatching(/does not accept new accounts/)]);
  await SiteModel.updateOne({ _id: own._id }, { $push: { team: { user: owner.user._id, role: 'viewer' } } });
  expect((await register('friend@example.com', { invite: friend })).status).toBe(201);
});

test('on a public server the first account needs the founding code that was printed at start', async () => {
  const { server, register } = await start({ foundingCode: true, jwtSecret: JWT_SECRET });
  const needed = async () => (await server.api('GET /auth/registration')).body.data.needsFoundingCode;
  const foundingCode = foundingCodeOf(JWT_SECRET);
  expect(foundingCode).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){2}[0-9a-hjkmnp-tv-z]{4}$/);
  expect(foundingCodeOf('another secret')).not.toBe(foundingCode);
  expect(await needed()).toBe(true);
  for (const more of [{}, { foundingCode: '' }, { foundingCode: '0000-0000-0000' }]) {
    const refused = await register('stranger@example.com', more);
    expect([refused.status, refused.body.code]).toEqual([403, 'FOUNDING_CODE_REQUIRED']);
  }
  expect((await register('stranger@example.com', { foundingCode: { $gt: '' } })).status).toBe(422);
  const founded = await register('owner@example.com', { foundingCode: ` ${foundingCode.toUpperCase()} ` });
  expect([founded.status, founded.body.data.user.role]).toEqual([201, 'parley_admin']);
  expect(await needed()).toBe(false);
  const next = await register('ben@example.com');
  expect([next.status, next.body.data.user.role]).toEqual([201, 'user']);
});

test('of concurrent sign-ups with the founding code one succeeds, and wrong codes are limited', async () => {
  const { server, register } = await start({ foundingCode: true, jwtSecret: JWT_SECRET, rateLimits: true });
  const tries = await Promise.all(
    Array.from({ length: 8 }, (_, n) => register(`n${n}@example.com`, { foundingCode: '0000-0000-0000' })),
  );
  expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([403]));
  const foundingCode = foundingCodeOf(JWT_SECRET);
  const knowing = await Promise.all(['a', 'b'].map((name) => register(`${name}@example.com`, { foundingCode })));
  expect(knowing.map(({ body }) => body.data.user.role).sort()).toEqual(['parley_admin', 'user']);
  expect((await register('c@example.com', { foundingCode })).status).toBe(429);
  expect((await server.api('GET /auth/registration')).body.data).toEqual({ needsFoundingCode: false });
});
