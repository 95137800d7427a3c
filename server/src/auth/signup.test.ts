import { afterEach, expect, test } from 'vitest';
import { createSite, PASSWORD } from '../../test/factories.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { InviteModel } from '../team/model.ts';

const servers: TestServer[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function start(signup: 'invited' | 'closed') {
  const server = await startServer({ signup });
  servers.push(server);
  const register = (email: string) =>
    server.api('POST /auth/register', {
      body: { name: 'Ana', email, password: PASSWORD, confirmPassword: PASSWORD },
    });
  return { server, register };
}

test('where sign-up is closed nobody registers', async () => {
  const { register } = await start('closed');
  const { status, body } = await register('first@example.com');
  expect([status, body.code]).toEqual([403, 'SIGNUP_CLOSED']);
});

test('where sign-up is for the invited, the first account needs none, also when several try at once', async () => {
  const { register } = await start('invited');
  const answers = await Promise.all(['a@example.com', 'b@example.com', 'c@example.com'].map(register));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
  expect(answers.find(({ status }) => status === 201)?.body.data.user.role).toBe('parley_admin');
});

test('afterwards an e-mail with an open invite registers, and no other', async () => {
  const { server, register } = await start('invited');
  const { token } = (await register('owner@example.com')).body.data;
  const site = await createSite(server.api, token);
  const invite = (email: string) =>
    server.api('POST /team/invites', { token, body: { email, role: 'agent', siteId: site._id } });
  await invite('ben@example.com');
  await invite('late@example.com');
  await InviteModel.updateOne({ email: 'late@example.com' }, { $set: { expiresAt: new Date(0) } });
  for (const email of ['stranger@example.com', 'late@example.com', 'owner@example.com']) {
    const refused = await register(email);
    expect([refused.status, refused.body.code]).toEqual([403, 'SIGNUP_CLOSED']);
  }
  expect((await register('Ben@Example.com')).status).toBe(201);
  expect((await register('ben@example.com')).status).toBe(409);
});
