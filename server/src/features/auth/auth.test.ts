import { afterAll, beforeAll, expect, test } from 'vitest';
import { PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';

const HOUR_MS = 3_600_000;
let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const form = (more: object = {}) => ({
  name: 'Ana Ruiz',
  email: `someone${Math.floor(performance.now() * 1000)}@example.com`,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  ...more,
});

test('the first account of a server becomes platform admin, one only when two sign up at once', async () => {
  const answers = await Promise.all(
    ['first@example.com', 'second@example.com', 'third@example.com'].map((email) =>
      server.api('POST /auth/register', { body: form({ email }) }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const roles = answers.map(({ body }) => body.data.user.role).sort();
  expect(roles).toEqual(['parley_admin', 'user', 'user']);
});

test('signing up signs in, and the answer has no secrets', async () => {
  const { status, body } = await server.api('POST /auth/register', { body: form({ email: ' New@Example.COM ' }) });
  expect(status).toBe(201);
  expect(body).toMatchObject({ success: true, message: 'Registration successful!' });
  expect(body.data.user).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    name: 'Ana Ruiz',
    email: 'new@example.com',
    role: 'user',
    avatar: null,
    available: true,
  });
  const profile = await server.api('GET /auth/profile', { token: body.data.token });
  expect(profile.body.data.user.email).toBe('new@example.com');
});

test.each([
  ['passwords that differ', { confirmPassword: 'another-one-entirely' }, 'Passwords do not match', 'confirmPassword'],
  ['a blank name', { name: '   ' }, 'Name is required', 'name'],
  ['no email', { email: undefined }, 'Email is required', 'email'],
  ['an invalid email', { email: 'ana at home' }, 'Please enter a valid email address', 'email'],
  ['a query operator as email', { email: { $gt: '' } }, 'Email is required', 'email'],
  ['a list as password', { password: ['a', 'b'] }, 'Password is required', 'password'],
  ['a short password', { password: 'abc', confirmPassword: 'abc' }, /at least 8/, 'password'],
  ['a common password', { password: 'password123', confirmPassword: 'password123' }, /most common/, 'password'],
  [
    'a password of more than 72 bytes',
    { password: 'é'.repeat(40), confirmPassword: 'é'.repeat(40) },
    /72 bytes/,
    'password',
  ],
])('signing up with %s is refused', async (_what, more, message, path) => {
  const { status, body } = await server.api('POST /auth/register', { body: form(more) });
  expect(status).toBe(422);
  expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect(body.errors[0].path).toBe(path);
});

test('an email can be used once, in any case, also by two at once', async () => {
  const email = 'twice@example.com';
  const answers = await Promise.all([
    server.api('POST /auth/register', { body: form({ email }) }),
    server.api('POST /auth/register', { body: form({ email: 'TWICE@example.com' }) }),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('EMAIL_TAKEN');
});

test('a wrong password and an unknown email get the same answer', async () => {
  const { user } = await signUp(server.api);
  const wrong = await server.api('POST /auth/login', { body: { email: user.email, password: 'not-the-one-at-all' } });
  const unknown = await server.api('POST /auth/login', {
    body: { email: 'no@example.com', password: 'whatever-it-is' },
  });
  expect(wrong.status).toBe(401);
  expect(unknown.body).toEqual(wrong.body);
});

test('logging in returns the user and a new token', async () => {
  const { user, password, token } = await signUp(server.api);
  const { status, body } = await server.api('POST /auth/login', {
    body: { email: user.email.toUpperCase(), password },
  });
  expect(status).toBe(200);
  expect(body.message).toBe('Login successful!');
  expect(body.data.user).toEqual(user);
  expect(body.data.token).not.toBe(token);
});

test.each([undefined, '', 'nonsense', 'eyJhbGciOiJub25lIn0.eyJzaWQiOiJ4In0.'])(
  'the token %j is refused',
  async (token) => {
    const { status, body } = await server.api('GET /auth/profile', { token });
    expect(status).toBe(401);
    expect(body).toMatchObject({ success: false, code: 'UNAUTHORIZED' });
  },
);

test('logging out ends the session on the server and disconnects its sockets', async () => {
  const { token } = await signUp(server.api);
  const ear = await connectStaff(server.url, token);
  const closed = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  expect((await server.api('POST /auth/logout', { token })).status).toBe(200);
  await closed;
  expect(ear.heard('session_ended')).toEqual([{ reason: 'signed_out' }]);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(401);
  await expect(connectStaff(server.url, token)).rejects.toThrow('UNAUTHORIZED');
});

test('a refresh returns a new token, and the old one works for another minute', async () => {
  const { token } = await signUp(server.api);
  const refreshed = await server.api('POST /auth/refresh', { token });
  expect(refreshed.status).toBe(200);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
  server.advance(61_000);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(401);
  expect((await server.api('GET /auth/profile', { token: refreshed.body.data.token })).status).toBe(200);
});

test('a session expires a day after its last use, not a day after its start', async () => {
  const { token } = await signUp(server.api);
  server.advance(20 * HOUR_MS);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
  server.advance(20 * HOUR_MS);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
  server.advance(25 * HOUR_MS);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(401);
});

test('changing the password signs out every other session and keeps this one', async () => {
  const { user, token, password } = await signUp(server.api);
  const other = (await server.api('POST /auth/login', { body: { email: user.email, password } })).body.data.token;
  const ear = await connectStaff(server.url, other);
  const closed = new Promise((resolve) => ear.socket.once('disconnect', resolve));
  const newPassword = 'another-calm-river';
  const changed = await server.api('PUT /auth/password', { token, body: { currentPassword: password, newPassword } });
  expect(changed.body.message).toBe('Password changed successfully');
  await closed;
  expect((await server.api('GET /auth/profile', { token: other })).status).toBe(401);
  expect((await server.api('GET /auth/profile', { token })).status).toBe(200);
  const login = (secret: string) => server.api('POST /auth/login', { body: { email: user.email, password: secret } });
  expect((await login(password)).status).toBe(401);
  expect((await login(newPassword)).status).toBe(200);
});

test('a wrong current password is a 422, and the session continues', async () => {
  const { token } = await signUp(server.api);
  const body = { currentPassword: 'wrong-one-here', newPassword: 'another-calm-river' };
  const answer = await server.api('PUT /auth/password', { token, body });
  expect(answer.status).toBe(422);
  expect(answer.body.errors).toEqual([{ msg: 'Current password is incorrect', path: 'currentPassword' }]);
});

test('the name can be changed freely, the email only with the password', async () => {
  const { token, password } = await signUp(server.api);
  const renamed = await server.api('PUT /auth/profile', { token, body: { name: 'Ana María' } });
  expect(renamed.body.data.user.name).toBe('Ana María');
  const email = 'moved@example.com';
  expect((await server.api('PUT /auth/profile', { token, body: { email } })).status).toBe(422);
  const moved = await server.api('PUT /auth/profile', { token, body: { email, currentPassword: password } });
  expect(moved.body.data.user).toMatchObject({ email, name: 'Ana María' });
});

test('a malformed request gets a clear error, and an unknown call is answered with JSON', async () => {
  const json = { 'Content-Type': 'application/json' };
  const broken = await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers: json, body: '{"email":' });
  expect(broken.status).toBe(400);
  expect(await broken.json()).toMatchObject({ success: false, code: 'BAD_REQUEST' });
  const huge = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email: 'a'.repeat(200_000) }),
  });
  expect(huge.status).toBe(413);
  const unknown = await server.api('GET /nothing/here');
  expect(unknown.status).toBe(404);
  expect(unknown.body).toMatchObject({ success: false, code: 'CALL_NOT_FOUND' });
});

test('the health probes answer at the root', async () => {
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});
