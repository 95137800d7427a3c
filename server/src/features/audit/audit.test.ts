import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSite, newChat, PASSWORD, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { HOUR_MS } from '../../platform/time/time.ts';
import { SiteModel } from '../sites/model.ts';
import { AuditModel } from './auditLog.ts';

const WRONG_TRIES = 12;
const NEW_PASSWORD = 'another-calm-river';
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ rateLimits: true });
});
afterAll(() => server.stop());

/** What was written down since, oldest first. */
async function trail(filter: object) {
  const entries = await AuditModel.find(filter).sort({ at: 1, _id: 1 }).lean();
  return entries.map(({ action, actor, subject, detail }) => ({
    action,
    ...(actor ? { actor: actor.toHexString() } : {}),
    ...(subject ? { subject: subject.toHexString() } : {}),
    ...(detail ? { detail } : {}),
  }));
}

test('logins, password changes and ended sessions are logged', async () => {
  const { user, token } = await signUp(server.api);
  const login = (password: string) => server.api('POST /auth/login', { body: { email: user.email, password } });
  const second = (await login(PASSWORD)).body.data.token;
  await server.api('PATCH /settings', { token, body: { section: 'security', data: { sessionTimeout: 6 } } });
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  await server.api('PUT /auth/password', { token, body: change });
  await server.api('POST /auth/logout', { token });
  expect((await server.api('GET /auth/profile', { token: second })).status).toBe(401);
  const who = { actor: user._id };
  expect(await trail({ actor: user._id })).toEqual([
    { action: 'signed_in', ...who },
    { action: 'account_changed', ...who, detail: { fields: ['sessionTimeoutHours'] } },
    { action: 'session_ended', ...who, subject: user._id, detail: { reason: 'password_changed' } },
    { action: 'password_changed', ...who },
    { action: 'session_ended', ...who, subject: user._id, detail: { reason: 'signed_out' } },
  ]);
});

test('what one person repeats within an hour is one entry with a count, the newest of others stays in sight', async () => {
  const [ana, eve] = [await signUp(server.api), await signUp(server.api)];
  const rename = (token: string, name: string) => server.api('PUT /auth/profile', { token, body: { name } });
  await rename(ana.token, 'Ana B');
  await Promise.all(Array.from({ length: 20 }, (_, n) => rename(eve.token, `Eve ${n}`)));
  const timeout = { section: 'security', data: { sessionTimeout: 6 } };
  await server.api('PATCH /settings', { token: eve.token, body: timeout });
  const changes = ({ user }: typeof ana) => AuditModel.find({ actor: user._id, action: 'account_changed' }).lean();
  expect(await changes(ana)).toMatchObject([{ times: 1, detail: { fields: ['name'] } }]);
  await expect
    .poll(() => changes(eve))
    .toMatchObject([{ times: 21, detail: { fields: ['name', 'sessionTimeoutHours'] } }]);
  server.advance(HOUR_MS);
  await rename(ana.token, 'Ana C');
  expect(await changes(ana)).toHaveLength(2);
});

test('a burst of wrong passwords is logged once', async () => {
  const { user } = await signUp(server.api);
  const wrong = { email: user.email, password: 'not-the-one-at-all' };
  for (let tries = 0; tries < WRONG_TRIES; tries++) await server.api('POST /auth/login', { body: wrong });
  expect(await trail({ action: 'sign_ins_refused' })).toEqual([{ action: 'sign_ins_refused', subject: user._id }]);
});

test('changes of a site and its team are logged with their author, without conversations or secrets', async () => {
  const [ana, ben] = [await signUp(server.api), await signUp(server.api)];
  const site = await createSite(server.api, ana.token);
  const as = (token: string) => (call: string, body?: object) => server.api(call, { token, body });
  const [byAna, byBen] = [as(ana.token), as(ben.token)];
  const invited = { email: ben.user.email, role: 'agent', siteId: site._id };
  const { invite } = (await byAna('POST /team/invites', invited)).body.data;
  await byBen(`POST /invites/${invite._id}/accept`);
  await byAna(`PATCH /team/members/${ben.user._id}`, { role: 'viewer', siteId: site._id });
  await byAna(`PATCH /sites/${site._id}`, { name: 'Secret plan', settings: { retentionDays: 5 } });
  const saved = (await byAna(`GET /sites/${site._id}`)).body.data.site;
  const hours = { timeZone: 'europe/berlin', days: [{ day: 1, from: '09:00', to: '17:00' }] };
  const form = { name: saved.name, domain: saved.domain, customization: saved.customization };
  for (let i = 0; i < 2; i++)
    await byAna(`PUT /sites/${site._id}`, { ...form, settings: { ...saved.settings, hours } });
  await byAna(`POST /sites/${site._id}/widget-code`);
  const { secret } = (await byAna(`POST /sites/${site._id}/identity-secret`)).body.data;
  await newChat(server.api, (await byAna(`GET /sites/${site._id}`)).body.data.site, ana.token, 'Nobody may know');
  await byAna(`POST /sites/${site._id}/owner`, { userId: ben.user._id });
  await byAna('DELETE /team/members/me', { siteId: site._id });
  await byBen(`DELETE /sites/${site._id}`);
  const [byAnaToBen, byHimself] = [
    { actor: ana.user._id, subject: ben.user._id },
    { actor: ben.user._id, subject: ben.user._id },
  ];
  expect(await trail({ site: site._id })).toEqual([
    { action: 'site_created', actor: ana.user._id },
    { action: 'invite_sent', actor: ana.user._id },
    { action: 'member_joined', ...byHimself, detail: { role: 'agent' } },
    { action: 'invite_accepted', actor: ben.user._id },
    { action: 'member_role_set', ...byAnaToBen, detail: { role: 'viewer' } },
    {
      action: 'site_changed',
      actor: ana.user._id,
      detail: { fields: ['name', 'settings.retentionDays', 'settings.hours'] },
    },
    { action: 'widget_code_changed', actor: ana.user._id },
    { action: 'identity_secret_changed', actor: ana.user._id },
    { action: 'member_role_set', ...byAnaToBen, detail: { role: 'admin' } },
    { action: 'site_handed_over', ...byAnaToBen },
    { action: 'member_left', actor: ana.user._id, subject: ana.user._id },
    { action: 'site_deleted', actor: ben.user._id },
  ]);
  await until(async () => SiteModel.exists({ _id: site._id, purgedAt: { $exists: true } }));
  const all = JSON.stringify(await AuditModel.find({}).lean());
  const hidden = [invite._id, secret, ana.token, PASSWORD, NEW_PASSWORD, 'Nobody may know', 'Secret plan', '@'];
  for (const word of hidden) expect(all).not.toContain(word);
});

test('erasing a visitor and deleting a chat are logged with their author, without the visitor', async () => {
  const { user, token } = await signUp(server.api);
  const site = await createSite(server.api, token);
  const chats = [await newChat(server.api, site, token), await newChat(server.api, site, token)];
  const [one, other] = chats.map((chat) => chat.visitorId);
  expect((await server.api(`DELETE /chats/${chats[0]?._id}`, { token })).status).toBe(200);
  expect((await server.api(`DELETE /visitors/${other}`, { token })).status).toBe(200);
  expect(await trail({ site: site._id })).toEqual([
    { action: 'site_created', actor: user._id },
    { action: 'chat_deleted', actor: user._id, subject: one },
    { action: 'visitor_erased', actor: user._id, subject: other },
  ]);
  expect(JSON.stringify(await AuditModel.find({}).lean())).not.toContain('Vera');
});

test('entries are deleted after 400 days', async () => {
  const indexes = await AuditModel.listIndexes();
  expect(indexes.find(({ key }) => key.at === 1)?.expireAfterSeconds).toBe(400 * 86_400);
});
