import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Note, Site, StaffMessage } from '../../../contract.ts';
import { NoteModel } from './notes/noteModel.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api, 'Olga Owner');
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const chatOf = () => newChat(server.api, site, owner.token);
const row = async (chat: Chat): Promise<Chat> => (await as(owner)(`GET /chats/${chat._id}`)).body.data.chat;

async function member(role: 'admin' | 'agent' | 'viewer', name = 'Ben Okafor'): Promise<Account> {
  const account = await signUp(server.api, name);
  await join(site, account, role);
  return account;
}

describe('notes', () => {
  const notes = async (chat: Chat, query = '') =>
    (await as(owner)(`GET /chats/${chat._id}/notes${query}`)).body.data as { notes: Note[]; more: boolean };

  test('are stored apart from the messages, sent to the team and returned with the chat', async () => {
    const chat = await chatOf();
    const ear = await connectStaff(server.url, (await member('viewer')).token);
    const made = await as(owner)(`POST /chats/${chat._id}/notes`, { content: 'Wants a refund\nsince May' });
    expect(made.status).toBe(201);
    expect(made.body.data.note).toEqual({
      event: null,
      _id: expect.any(String),
      chatId: chat._id,
      clientId: expect.any(String),
      content: 'Wants a refund\nsince May',
      author: { _id: owner.user._id, name: 'Olga Owner' },
      createdAt: expect.any(String),
    });
    expect(await notes(chat)).toEqual({ notes: [made.body.data.note], more: false });
    expect((await ear.ask('open_chat', { chatId: chat._id })).notes).toEqual([made.body.data.note]);
    await until(async () => ear.heard('note_added').length > 0);
    expect(ear.heard('note_added')).toEqual([{ chatId: chat._id, note: made.body.data.note }]);
    expect(await row(chat)).toMatchObject({ lastSeq: 1, lastMessage: 'Hello', rev: chat.rev });
    expect((await row(chat)).messages).toHaveLength(1);
  });

  test('are paged from the newest', async ({ skip }) => {
    const chat = await chatOf();
    for (const content of ['one', 'two', 'three']) await as(owner)(`POST /chats/${chat._id}/notes`, { content });
    const newest = await notes(chat, '?limit=2');
    expect([newest.notes.map(({ content }) => content), newest.more]).toEqual([['two', 'three'], true]);
    const older = await notes(chat, `?limit=2&before=${newest.notes[0]?._id}`);
    expect([older.notes.map(({ content }) => content), older.more]).toEqual([['one'], false]);
    await needPlans(skip);
    const plan = await NoteModel.find({ chat: chat._id }).sort({ _id: -1 }).limit(2).explain('queryPlanner');
    expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
  });

  test('a retry stores the note once; a different text with its id is refused', async () => {
    const chat = await chatOf();
    const send = (content: string) => as(owner)(`POST /chats/${chat._id}/notes`, { content, clientId });
    const clientId = randomUUID();
    const answers = await Promise.all([send('Once'), send('Once')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect((await notes(chat)).notes).toHaveLength(1);
    expect((await send('Twice')).body.code).toBe('ID_CONFLICT');
  });

  test.each([{}, { content: ' ' }, { content: ['x'] }, { content: 'x'.repeat(5001) }])(
    '%j is refused',
    async (body) => {
      const chat = await chatOf();
      expect((await as(owner)(`POST /chats/${chat._id}/notes`, body)).status).toBe(422);
      expect((await notes(chat)).notes).toEqual([]);
    },
  );
});

describe('tags', () => {
  test('are stored as a whole list, normalized and without duplicates', async () => {
    const chat = await chatOf();
    const ear = await connectStaff(server.url, owner.token);
    const tags = ['  Big   Order ', 'VIP', 'vip', 'Über'];
    const put = await as(owner)(`PUT /chats/${chat._id}/tags`, { tags });
    expect(put.body.data.chat.tags).toEqual(['big order', 'vip', 'über']);
    const heard = await until(async () => ear.heard('chat_updated').at(-1));
    expect(heard.chat).toMatchObject({ _id: chat._id, tags: ['big order', 'vip', 'über'] });
    expect(heard.chat.rev).toBeGreaterThan(chat.rev);
    const post = await as(owner)(`POST /chats/${chat._id}/tags`, { tags: [] });
    expect(post.body.data.chat.tags).toEqual([]);
  });

  test.each([
    {},
    { tags: 'vip' },
    { tags: [' '] },
    { tags: [5] },
    { tags: [['vip']] },
    { tags: { $set: 1 } },
    { tags: ['x'.repeat(31)] },
    { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) },
  ])('%j is refused', async (body) => {
    const chat = await chatOf();
    expect((await as(owner)(`PUT /chats/${chat._id}/tags`, body)).status).toBe(422);
    expect((await row(chat)).tags).toEqual([]);
  });
});

describe('transferring a chat', () => {
  const give = (chat: Chat, userId: string | null, who = owner) =>
    as(who)(`POST /chats/${chat._id}/transfer`, { userId });

  test('gives it to a colleague who can answer, or back to the queue', async () => {
    const chat = await chatOf();
    const ben = await member('agent');
    const ear = await connectStaff(server.url, owner.token);
    const given = await give(chat, ben.user._id);
    expect(given.body.data.chat).toMatchObject({ status: 'active', claimedBy: { _id: ben.user._id } });
    await until(async () => ear.heard('chat_claimed').length > 0);
    expect(ear.heard('chat_claimed')).toEqual([
      { chatId: chat._id, claimedBy: { _id: ben.user._id, name: ben.user.name } },
    ]);
    const again = await give(chat, ben.user._id);
    expect([again.status, again.body.data.chat.rev]).toEqual([200, given.body.data.chat.rev]);
    const back = await give(chat, null);
    expect(back.body.data.chat).toMatchObject({ status: 'waiting', claimedBy: null });
    expect((await give(chat, null)).status).toBe(200);
    await until(async () => ear.heard('chat_status_changed').at(-1)?.status === 'waiting');
  });

  test('notifies the colleague and adds a note for the team, without using a message number', async () => {
    const ben = await member('agent');
    const vera = await visit(server.api, site, { visitor: { name: 'Vera' } });
    const widget = await connectVisitor(server.url, vera.visitorToken);
    const id = await say(server.api, site, vera, 'Hello');
    const chat = await until(async () => {
      const found = (await as(owner)(`GET /chats/${id}`)).body.data?.chat;
      return found?.lastSeq === 1 && found;
    });
    const ear = await connectStaff(server.url, ben.token);
    const { body } = await give(chat, ben.user._id);
    expect(body.data.chat).toMatchObject({ handedBy: owner.user.name, lastSeq: 1 });
    const by = { _id: owner.user._id, name: owner.user.name };
    const to = { _id: ben.user._id, name: ben.user.name };
    await until(async () => ear.heard('chat_transferred').length > 0);
    expect(ear.heard('chat_transferred')).toEqual([{ chat: expect.objectContaining({ _id: id }), by, to }]);
    const content = `${owner.user.name} handed this chat to ${ben.user.name}`;
    expect(ear.heard('note_added').map(({ note }) => note)).toEqual([
      expect.objectContaining({ content, event: 'transferred', author: by, to }),
    ]);
    await ear.ask('open_chat', { chatId: id });
    await until(async () => (await row(chat)).handedBy === null);

    await give(chat, null);
    await until(async () => widget.heard('chat_handed_back').length > 0);
    expect(widget.heard('chat_handed_back')).toEqual([{ chatId: id }]);
    expect(widget.heard('new_message').map(({ message }) => message.seq)).toEqual([1]);
    const { notes } = (await as(owner)(`GET /chats/${id}/notes`)).body.data;
    expect(notes.at(-1)).toMatchObject({ content: `${owner.user.name} gave this chat back to the queue`, to: null });
  });

  test('is marked as seen once somebody answers or the colleague has the chat open', async () => {
    const ben = await member('agent');
    const answered = await chatOf();
    await give(answered, ben.user._id);
    await as(owner)(`POST /chats/${answered._id}/messages`, { content: 'I was faster' });
    await until(async () => (await row(answered)).handedBy === null);
    const open = await chatOf();
    const ear = await connectStaff(server.url, ben.token);
    await ear.ask('open_chat', { chatId: open._id });
    await give(open, ben.user._id);
    await until(async () => (await row(open)).handedBy === null);
  });

  test('is refused to a stranger or viewer, and for a closed chat', async () => {
    const chat = await chatOf();
    const viewer = await member('viewer');
    const stranger = await signUp(server.api);
    expect((await give(chat, stranger.user._id)).body.code).toBe('MEMBER_NOT_FOUND');
    expect((await give(chat, unknownId)).body.code).toBe('MEMBER_NOT_FOUND');
    expect((await give(chat, viewer.user._id)).body.code).toBe('MEMBER_CANNOT_REPLY');
    expect(await row(chat)).toMatchObject({ status: 'waiting', claimedBy: null });
    await as(owner)(`POST /chats/${chat._id}/close`);
    expect((await give(chat, owner.user._id)).body.code).toBe('CHAT_CLOSED');
    expect((await give(chat, null)).body.code).toBe('CHAT_CLOSED');
  });

  test('when several transfers run at once, the last accepted one decides', async () => {
    const chat = await chatOf();
    const team = await Promise.all(['A', 'B', 'C', 'D'].map((name) => member('agent', `Agent ${name}`)));
    const answers = await Promise.all(team.map(({ user }) => give(chat, user._id)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won.map(({ body }) => body.data.chat.claimedBy)).toContainEqual((await row(chat)).claimedBy);
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.code]).toEqual([409, 'CHAT_ALREADY_CLAIMED']);
  });

  test.each([{}, { userId: 5 }, { userId: 'zzz' }, { userId: { $ne: null } }])('%j is refused', async (body) => {
    const chat = await chatOf();
    await as(owner)(`POST /chats/${chat._id}/claim`);
    expect((await as(owner)(`POST /chats/${chat._id}/transfer`, body)).status).toBe(422);
    expect((await row(chat)).claimedBy).not.toBeNull();
  });
});

test('reading over HTTP lowers the unread count; reading by a viewer does not', async () => {
  const chat = await chatOf();
  const read = (who: Account, body: object) => as(who)(`POST /chats/${chat._id}/read`, body);
  expect((await read(await member('viewer'), { seq: 1 })).status).toBe(200);
  expect((await row(chat)).unread).toBe(1);
  for (const body of [{}, { seq: 0 }, { seq: '1' }]) expect((await read(owner, body)).status).toBe(422);
  expect((await read(owner, { seq: 1 })).body.data).toEqual({});
  expect((await row(chat)).unread).toBe(0);
});

describe('permissions', () => {
  let stranger: Account;
  let viewer: Account;
  beforeAll(async () => {
    stranger = await signUp(server.api);
    viewer = await member('viewer');
  });

  const calls: [string, object?][] = [
    ['GET /chats/:id'],
    ['GET /chats/:id/messages'],
    ['POST /chats/:id/messages', { content: 'x' }],
    ['POST /chats/:id/message', { text: 'x' }],
    ['POST /chats/:id/claim'],
    ['POST /chats/:id/close'],
    ['POST /chats/:id/notes', { content: 'x' }],
    ['PUT /chats/:id/tags', { tags: ['x'] }],
    ['POST /chats/:id/tags', { tags: ['x'] }],
    ['POST /chats/:id/transfer', { userId: null }],
    ['GET /chats/:id/notes'],
    ['POST /chats/:id/read', { seq: 1 }],
    ['DELETE /chats/:id'],
  ];

  test.each(calls)(
    '%s: a stranger gets the same answer as for an unknown chat, and a viewer can only read',
    async (call, body) => {
      const chat = await chatOf();
      const foreign = await as(stranger)(call.replace(':id', chat._id), body);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual((await as(stranger)(call.replace(':id', unknownId), body)).body);
      expect((await as(stranger)(call.replace(':id', 'zzz'), body)).body.code).toBe('INVALID_ID');
      expect((await server.api(call.replace(':id', chat._id), { body })).status).toBe(401);
      const looked = await as(viewer)(call.replace(':id', chat._id), body);
      expect(looked.status).toBe(/^GET|read$/.test(call) ? 200 : 403);
      expect(await row(chat)).toEqual({ ...chat, messages: expect.any(Array) });
      expect((await row(chat)).messages.map(({ seq }: StaffMessage) => seq)).toEqual([1]);
    },
  );

  test("a visitor's token is refused by all staff calls", async () => {
    const { visitorToken } = await visit(server.api, site);
    expect((await server.api('GET /chats', { token: visitorToken })).status).toBe(401);
    expect((await server.api(`GET /chats/site/${site._id}`, { token: visitorToken })).status).toBe(401);
  });
});
