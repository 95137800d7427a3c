import { generate } from 'otplib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, PASSWORD, signUp } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, hangUp } from '#test/sockets';
import { AccountWordModel } from '../admin/accountSearch.ts';
import { AuditModel } from '../audit/auditLog.ts';
import { ResetModel, SessionModel, UserModel } from '../auth/model.ts';
import { makeResetLink } from '../auth/reset.ts';
import { createSessions } from '../auth/sessions.ts';
import { MessageModel } from '../chats/messageModel.ts';
import { ChatModel } from '../chats/model.ts';
import { NoteModel } from '../chats/notes/noteModel.ts';
import { SiteModel } from '../sites/model.ts';
import { finishDeletions } from './deleteAccount.ts';

let server: TestServer;
let owner: Account;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api, 'Olga Owner');
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const remove = (token: string, body: object = { currentPassword: PASSWORD }) =>
  server.api('DELETE /auth/account', { token, body });
const login = (email: string) => server.api('POST /auth/login', { body: { email, password: PASSWORD } });

/** A colleague on a site of the owner's who has answered a chat and noted something. */
async function colleague(name: string) {
  const agent = await signUp(server.api, name);
  const site = await createSite(server.api, owner.token);
  await join(site, agent, 'agent');
  const chat = await newChat(server.api, site, owner.token, 'Where is my parcel?');
  const say = (call: string, content: string) =>
    server.api(`POST /chats/${chat._id}/${call}`, { token: agent.token, body: { content } });
  await say('messages', `${name} answers`);
  await say('notes', `${name} notes`);
  return { agent, site, chat };
}

test('deleting an account removes it with its sessions, memberships and links and frees its chats, but keeps its messages', async () => {
  const { agent, site, chat } = await colleague('Gustav Gone');
  const { _id, email } = agent.user;
  await makeResetLink((await UserModel.findOne({ email }).lean())?._id ?? expect.fail(), Date.now());
  const desk = await connectStaff(server.url, agent.token);
  const closed = new Promise((resolve) => desk.socket.once('disconnect', resolve));
  const { status, body } = await remove(agent.token);
  expect([status, body.message]).toEqual([200, 'Your account was deleted']);
  await closed;
  expect(desk.heard('session_ended')).toEqual([{ reason: 'account_deleted' }]);
  expect((await server.api('GET /auth/profile', { token: agent.token })).status).toBe(401);
  expect((await login(email)).body.code).toBe('INVALID_CREDENTIALS');
  const left = await Promise.all([
    UserModel.exists({ _id }),
    SessionModel.exists({ user: _id }),
    ResetModel.exists({ user: _id }),
    SiteModel.exists({ 'team.user': _id }),
    AccountWordModel.exists({ user: _id }),
  ]);
  expect(left).toEqual([null, null, null, null, null]);
  const row = (await server.api(`GET /chats/${chat._id}`, { token: owner.token })).body.data.chat;
  expect(row).toMatchObject({ status: 'waiting', claimedBy: null });
  const read = async (what: string) =>
    (await server.api(`GET /chats/${chat._id}/${what}`, { token: owner.token })).body.data[what];
  expect((await read('messages')).find(({ sender }: { sender: string }) => sender === 'agent')).toMatchObject({
    content: 'Gustav Gone answers',
    senderName: 'Gustav Gone',
  });
  expect((await read('notes'))[0]).toMatchObject({ content: 'Gustav Gone notes', author: { name: 'Gustav Gone' } });
  const members = (await server.api(`GET /team/members?siteId=${site._id}`, { token: owner.token })).body.data.members;
  expect(members.map(({ name }: { name: string }) => name)).toEqual(['Olga Owner']);
  const trail = await AuditModel.find({ actor: _id }).sort({ at: 1, _id: 1 }).lean();
  expect(trail.map(({ action }) => action)).toEqual(['signed_in', 'session_ended', 'member_left', 'account_deleted']);
  const again = { name: 'New', email, password: PASSWORD, confirmPassword: PASSWORD };
  expect((await server.api('POST /auth/register', { body: again })).status).toBe(201);
});

test('an account that owns a site cannot be deleted', async () => {
  const ana = await signUp(server.api);
  const site = await createSite(server.api, ana.token);
  const refused = await remove(ana.token);
  expect([refused.status, refused.body.code]).toEqual([409, 'OWNS_SITES']);
  expect((await server.api('GET /auth/profile', { token: ana.token })).status).toBe(200);
  await server.api(`DELETE /sites/${site._id}`, { token: ana.token });
  expect((await remove(ana.token)).status).toBe(200);
});

test('deleting an account asks for the password, and for the second factor if there is one', async () => {
  const ana = await signUp(server.api);
  for (const body of [
    {},
    { currentPassword: '' },
    { currentPassword: 'wrong-one-here' },
    { currentPassword: { $gt: '' } },
  ])
    expect((await remove(ana.token, body)).body.errors[0].path).toBe('currentPassword');
  const { secret } = (await server.api('POST /auth/two-factor/setup', { token: ana.token })).body.data;
  const codeIn = (ahead: number) => generate({ secret, epoch: Math.floor((Date.now() + ahead) / 1000) });
  const body = { code: await codeIn(0), currentPassword: PASSWORD };
  const enabled = await server.api('POST /auth/two-factor/enable', { token: ana.token, body });
  const [recoveryCode] = enabled.body.data.recoveryCodes;
  const withPassword = (more: object) => remove(ana.token, { currentPassword: PASSWORD, ...more });
  const answers = [
    await withPassword({}),
    await withPassword(body),
    await withPassword({ recoveryCode: 'none-of-them' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
  expect(answers.map((answer) => answer.body.errors[0].path)).toEqual(['code', 'code', 'recoveryCode']);
  expect((await server.api('GET /auth/profile', { token: ana.token })).status).toBe(200);
  expect((await withPassword({ recoveryCode })).status).toBe(200);
});

test('when an account is deleted twice at once, one call succeeds and the other finds no account', async () => {
  const ana = await signUp(server.api);
  const answers = await Promise.all([remove(ana.token), remove(ana.token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect(await AuditModel.countDocuments({ actor: ana.user._id, action: 'account_deleted' })).toBe(1);
});

test('the data export has all data of the account, without secrets or data of others', async () => {
  const { agent, site, chat } = await colleague('Ella Export');
  const { status, body, headers } = await server.api('GET /auth/account/export', { token: agent.token });
  expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename=parley-account.json']);
  const times = { createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) };
  expect(body).toEqual({
    profile: { ...agent.user, ...times },
    apiKeys: [],
    settings: (await server.api('GET /settings', { token: agent.token })).body.data.settings,
    twoFactor: null,
    oidc: null,
    sessions: [expect.objectContaining({ current: true })],
    pushDevices: [],
    memberships: [{ site: { _id: site._id, name: site.name }, role: 'agent', isOwner: false }],
    savedViews: [],
    messages: [
      { _id: expect.any(String), chatId: chat._id, siteId: site._id, content: 'Ella Export answers', ...times },
    ],
    replies: [],
    notes: [{ _id: expect.any(String), chatId: chat._id, siteId: site._id, content: 'Ella Export notes', ...times }],
  });
  const text = JSON.stringify(body);
  for (const hidden of ['parcel', agent.token, '$2b$', 'passwordHash', 'Olga']) expect(text).not.toContain(hidden);
});

test('messages, notes, memberships and unfinished deletions of an account are found by index', async () => {
  const _id = 'a'.repeat(24);
  const plans = await Promise.all([
    MessageModel.find({ senderKey: `u:${_id}` }).explain('queryPlanner'),
    NoteModel.find({ author: _id }).explain('queryPlanner'),
    UserModel.find({ deletedAt: { $gt: new Date(0) } }).explain('queryPlanner'),
    ResetModel.find({ user: _id }).explain('queryPlanner'),
    ChatModel.find({ site: _id, claimedBy: _id, open: true }).explain('queryPlanner'),
  ]);
  for (const plan of plans) {
    expect(JSON.stringify(plan)).toContain('IXSCAN');
    expect(JSON.stringify(plan)).not.toContain('COLLSCAN');
  }
});

test('a deletion that two workers finish at once completes without an error', async () => {
  const { agent, site } = await colleague('Cleo');
  await UserModel.updateOne({ _id: agent.user._id }, { $set: { deletedAt: new Date() } });
  const finish = finishDeletions(createSessions({ secret: 'of this test', now: Date.now }));
  const signal = new AbortController().signal;
  await Promise.all(Array.from({ length: 4 }, () => finish(Date.now(), signal)));
  expect(await UserModel.exists({ _id: agent.user._id })).toBeNull();
  expect(await SiteModel.exists({ _id: site._id, 'team.user': agent.user._id })).toBeNull();
});
