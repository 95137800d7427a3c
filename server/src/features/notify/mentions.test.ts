import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, PASSWORD, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { type PushService, startPushService, type TestDevice } from '#test/pushes';
import { reconcileNow } from '#test/rounds';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Mention, Note, Site } from '../../../contract.ts';
import { enqueueUnawaited } from '../../platform/work/keyedQueue.ts';
import { createSessions } from '../auth/sessions.ts';
import { NoteModel } from '../chats/notes/noteModel.ts';
import { createPresence } from '../presence/presence.ts';
import { createResumeLinks } from '../visitors/session/session.ts';
import { createActionTokens } from './actionTokens.ts';
import { mentionNotices } from './mentionNotices.ts';
import { MentionModel } from './mentions.ts';
import { NoticeModel } from './model.ts';

let box: Mailbox;
let service: PushService;
let server: TestServer;
let olga: Account;
let site: Site;

beforeAll(async () => {
  [box, service] = [await startMailbox(), await startPushService()];
  server = await startServer(mailingInto(box), { pushAgent: service.agent });
  olga = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, olga.token);
});
afterEach(hangUp);
afterAll(async () => {
  await server.stop();
  await Promise.all([box.stop(), service.stop()]);
});

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const chatOf = () => newChat(server.api, site, olga.token);
const write = (chat: Chat, content: string, mentions: unknown, by = olga) =>
  as(by)(`POST /chats/${chat._id}/notes`, { content, mentions });
const mentionsOf = async (account: Account): Promise<Mention[]> =>
  (await as(account)('GET /mentions')).body.data.mentions;
const notesOf = async (chat: Chat): Promise<Note[]> => (await as(olga)(`GET /chats/${chat._id}/notes`)).body.data.notes;
const isSettled = async (note: Note) => (await NoteModel.findById(note._id).lean())?.unnotified === undefined;
/** Writes a note that mentions these members, who are then notified. */
async function mention(chat: Chat, content: string, ...members: Account[]): Promise<Note> {
  const { note } = (
    await write(
      chat,
      content,
      members.map(({ user }) => user._id),
    )
  ).body.data;
  await until(() => isSettled(note));
  return note;
}

async function member(role: 'agent' | 'viewer', name: string): Promise<Account> {
  const account = await signUp(server.api, name);
  await join(site, account, role);
  return account;
}

async function deviceOf({ token }: Account): Promise<TestDevice> {
  const device = service.newDevice();
  await server.api('POST /push/subscriptions', { token, body: device.device });
  return device;
}

/** The mails about mentions. */
const mailsTo = ({ user }: Account) =>
  box.mails.filter(({ to, subject }) => to?.[0]?.address === user.email && subject?.includes('mentioned you'));
/** Lets time pass until the mails of this chat that are due by then are sent. */
async function mailed(chat: Chat, ms: number): Promise<void> {
  server.advance(ms);
  await until(async () => (await NoticeModel.findById(`${chat._id}:mention`).lean())?.doneAt);
}

test('members whom a note mentions find it behind their bell until they open the chat, a viewer too, and the visitor hears nothing', async () => {
  const [ben, vik, cleo] = [await member('agent', 'Ben'), await member('viewer', 'Vik'), await member('agent', 'Cleo')];
  const visitor = await visit(server.api, site);
  const chatId = await say(server.api, site, visitor, 'Hello');
  const ears = await Promise.all([olga, ben, vik, cleo].map(({ token }) => connectStaff(server.url, token)));
  const [ofOlga, ofBen, ofVik, ofCleo] = ears;
  const ofVisitor = await connectVisitor(server.url, visitor.visitorToken);
  const chat = { _id: chatId } as Chat;

  const mentions = [ben, vik, olga, ben].map(({ user }) => user._id);
  const { status, body } = await write(chat, '@Ben and @Vik, is this a fraud?', mentions);
  expect(status).toBe(201);
  const { note } = body.data;
  expect(note.mentions).toEqual([ben, vik].map(({ user }) => ({ _id: user._id, name: user.name })));
  expect(await notesOf(chat)).toEqual([note]);
  await until(async () => ofBen?.heard('mentioned').length === 1 && ofVik?.heard('mentioned').length === 1);
  const [found] = await mentionsOf(ben);
  expect(found).toEqual({
    _id: note._id,
    chatId,
    siteName: site.name,
    visitorName: null,
    by: { _id: olga.user._id, name: 'Olga Owner' },
    preview: '@Ben and @Vik, is this a fraud?',
    path: `/dashboard/inbox?chat=${chatId}&at=1&note=${note._id}`,
    createdAt: note.createdAt,
  });
  expect(ofBen?.heard('mentioned')).toEqual([{ mention: found }]);
  expect(await mentionsOf(vik)).toHaveLength(1);
  await until(async () => ofCleo?.heard('note_added').length === 1);
  expect([...(ofOlga?.heard('mentioned') ?? []), ...(ofCleo?.heard('mentioned') ?? [])]).toEqual([]);
  expect([await mentionsOf(olga), await mentionsOf(cleo)]).toEqual([[], []]);

  expect((await as(ben)(`POST /chats/${chatId}/mentions/read`)).status).toBe(200);
  await until(async () => ofBen?.heard('mentions_changed').length === 1);
  expect([await mentionsOf(ben), (await mentionsOf(vik)).length]).toEqual([[], 1]);

  await as(olga)(`POST /chats/${chatId}/messages`, { content: 'One moment' });
  await until(async () => ofVisitor.heard('new_message').length > 0);
  expect(JSON.stringify(await ofVisitor.ask('sync', { chatId, afterSeq: 0 }))).not.toMatch(/fraud|mention/);
  for (const event of ['mentioned', 'mentions_changed', 'note_added']) expect(ofVisitor.heard(event)).toEqual([]);
  const copy = await as(olga)(`GET /visitors/${visitor.visitor._id}/export`);
  expect(copy.body.chats[0].notes[0]).toMatchObject({ content: note.content });
  expect(JSON.stringify(copy.body)).not.toContain('mentions');
  const headers = { Authorization: `Bearer ${olga.token}` };
  expect(await (await fetch(`${server.url}/api/chats/${chatId}/export`, { headers })).text()).not.toMatch(/fraud/);
});

test('whoever is not on the team cannot be mentioned, and strangers, viewers and too long lists are refused', async () => {
  const chat = await chatOf();
  const stranger = await signUp(server.api, 'Stranger');
  const viewer = await member('viewer', 'Vera Viewer');
  const refused = async (mentions: unknown) => {
    const { status, body } = await write(chat, '@Stranger', mentions);
    return [status, body.message];
  };
  const foreign = [422, 'Somebody you mentioned is not on the team of this website'];
  expect(await refused([stranger.user._id])).toEqual(foreign);
  expect(await refused(['a'.repeat(24), viewer.user._id])).toEqual(foreign);
  const unreadable = [422, "A note can mention up to 20 members, each by the user's id"];
  for (const mentions of [['Ben'], 'Ben', [null], Array.from({ length: 21 }, () => viewer.user._id)])
    expect(await refused(mentions)).toEqual(unreadable);
  expect((await write(chat, '@Olga', [olga.user._id], viewer)).status).toBe(403);
  expect((await write(chat, '@Olga', [olga.user._id], stranger)).status).toBe(404);
  expect(await notesOf(chat)).toEqual([]);
  expect((await as(stranger)(`POST /chats/${chat._id}/mentions/read`)).status).toBe(404);
});

test('a member without an open dashboard is rung at once and mailed soon, as the settings want it', async () => {
  const [ada, eve, here] = [await member('agent', 'Ada'), await member('agent', 'Eve'), await member('agent', 'Here')];
  const devices = await Promise.all([ada, eve, here].map(deviceOf));
  const off = { emailNotifications: false, browserNotifications: false };
  await as(eve)('PATCH /settings', { section: 'notifications', data: off });
  await connectStaff(server.url, here.token);
  const chat = await chatOf();
  const note = await mention(chat, 'Look at this, @Ada @Eve @Here', ada, eve, here);
  const path = `/dashboard/inbox?chat=${chat._id}&at=1&note=${note._id}`;
  // Besides the chat itself, which rings as well.
  const rings = ({ received }: TestDevice) =>
    received.map(({ payload }) => payload).filter(({ body }) => body.includes('mentioned'));
  const [first] = await until(async () => devices[0] && rings(devices[0]).length > 0 && rings(devices[0]));
  expect(first).toEqual({
    title: 'Vera · Corner Shop',
    body: 'Olga Owner mentioned you in a note.',
    said: {
      title: { text: '{name} · {site}', values: { name: 'Vera', site: 'Corner Shop' } },
      body: { text: '{name} mentioned you in a note.', values: { name: 'Olga Owner' } },
    },
    chatId: chat._id,
    path,
  });
  await mailed(chat, 10_000);
  await until(async () => mailsTo(ada).length === 1);
  const [mail] = mailsTo(ada);
  expect(mail?.subject).toBe('Olga Owner mentioned you on Corner Shop');
  expect(mail?.text).toContain('Olga Owner:\n> Look at this, @Ada @Eve @Here');
  expect(mail?.text).toContain(path);
  expect(devices.slice(1).flatMap(rings)).toEqual([]);

  // What follows soon comes in one later mail, without what was mailed or read.
  await mention(chat, 'And at this, @Ada', ada);
  await mention(chat, 'And this, @Ada', ada);
  await mailed(chat, 5 * 60_000);
  await until(async () => mailsTo(ada).length === 2);
  expect(mailsTo(ada)[1]?.text).toMatch(/> And at this, @Ada[\s\S]*> And this, @Ada/);
  expect(mailsTo(ada)[1]?.text).not.toContain('Look at this');
  await mention(chat, 'Never mind, @Ada', ada);
  await as(ada)(`POST /chats/${chat._id}/mentions/read`);
  await mailed(chat, 10 * 60_000);
  expect([mailsTo(ada).length, mailsTo(eve).length, mailsTo(here).length]).toEqual([2, 0, 0]);
});

test('when a process dies right after a note is stored, the reconciler notifies the mentioned member once', async () => {
  const ben = await member('agent', 'Ben');
  const chat = await chatOf();
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  enqueueUnawaited(chat._id, () => held);
  const { note } = (await write(chat, '@Ben?', [ben.user._id])).body.data;
  expect(await mentionsOf(ben)).toEqual([]);
  const now = Date.now;
  const secret = 'x'.repeat(32);
  const [sessions, links] = [createSessions({ secret, now }), createResumeLinks({ secret, now })];
  const actionTokens = createActionTokens({ secret, now });
  const none = async () => {};
  const mail = { enabled: false, send: none, sendNow: none, start() {}, messageId: () => '', forget: none, stop: none };
  const push = { key: '', stop: none, send: async () => [] };
  const presence = createPresence({ graceMs: 0 });
  const deps = { mail, mailIn: null, push, presence, sessions, links, actionTokens, now };
  await reconcileNow(mentionNotices(deps));
  expect((await mentionsOf(ben)).map(({ _id }) => _id)).toEqual([note._id]);
  expect(await isSettled(note)).toBe(true);
  await as(ben)(`POST /chats/${chat._id}/mentions/read`);
  letGo();
  // The note after it in the chat's queue.
  await mention(chat, '@Ben again', ben);
  expect((await mentionsOf(ben)).map(({ preview }) => preview)).toEqual(['@Ben again']);
});

test('mentions go with the member, the account and the chat; the note keeps its text', async () => {
  const [ben, cleo] = [await member('agent', 'Ben'), await member('agent', 'Cleo')];
  const chat = await chatOf();
  const note = await mention(chat, '@Ben @Cleo, who knows this one?', ben, cleo);
  const ofBen = await connectStaff(server.url, ben.token);
  await as(olga)(`DELETE /team/members/${ben.user._id}`, { siteId: site._id });
  await until(async () => ofBen.heard('mentions_changed').length === 1);
  expect(await mentionsOf(ben)).toEqual([]);
  await join(site, ben, 'agent');
  expect(await mentionsOf(ben)).toEqual([]);
  const gone = await as(cleo)('DELETE /auth/account', { currentPassword: PASSWORD });
  expect(gone.status).toBe(200);
  await until(async () => (await MentionModel.countDocuments({ user: cleo.user._id })) === 0);
  expect(await notesOf(chat)).toEqual([note]);
  expect((await write(chat, '@Cleo', [cleo.user._id])).status).toBe(422);

  await mention(chat, '@Ben', ben);
  await as(olga)(`DELETE /chats/${chat._id}`);
  await until(async () => (await MentionModel.countDocuments({ chat: chat._id })) === 0);
  expect(await mentionsOf(ben)).toEqual([]);
});
