import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import { uploadToChat } from '#test/uploads';
import type { Chat, Site, StaffMessage, VisitorSession } from '../../../../contract.ts';
import { MessageModel } from '../messageModel.ts';
import { ChatModel } from '../model.ts';
import { messageChanges } from './changes.ts';

let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api, 'Olga Owner');
  ben = await signUp(server.api, 'Ben Okafor');
  site = await createSite(server.api, owner.token);
  await join(site, ben, 'agent');
});
afterEach(hangUp);
afterAll(() => server.stop());

const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const path = ({ chatId, _id }: StaffMessage) => `/chats/${chatId}/messages/${_id}`;
const edit = (message: StaffMessage, body: object, who = owner) => as(who)(`PATCH ${path(message)}`, body);
const remove = (message: StaffMessage, who = owner) => as(who)(`DELETE ${path(message)}`);
const pageOf = async (chatId: string, query = '') =>
  (await as(owner)(`GET /chats/${chatId}/messages${query}`)).body.data;
const rowOf = async (chatId: string): Promise<Chat> => (await as(owner)(`GET /chats/${chatId}`)).body.data.chat;
const found = async (word: string) =>
  (await as(owner)(`GET /chats?search=${word}`)).body.data.chats.map(({ _id }: Chat) => _id) as string[];
/** The change is in everything that is made from the message. */
const settled = (_id: string) =>
  until(async () => (await MessageModel.exists({ _id, unapplied: { $exists: false } })) !== null);

async function answer(chatId: string, content: string, who = owner): Promise<StaffMessage> {
  return (await as(who)(`POST /chats/${chatId}/messages`, { content })).body.data.message;
}

async function talk(content = 'Hello'): Promise<{ session: VisitorSession; chatId: string }> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera', email: 'vera@example.com' } });
  return { session, chatId: await say(server.api, site, session, content) };
}

describe('a corrected message', () => {
  test('has its new text on every screen, in the row and in the search, at its old place', async () => {
    const { session, chatId } = await talk();
    const sent = await answer(chatId, 'We close at zwanzig');
    await until(async () => (await found('zwanzig')).length === 1);
    const [ear, vera] = [
      await connectStaff(server.url, ben.token),
      await connectVisitor(server.url, session.visitorToken),
    ];
    const { status, body } = await edit(sent, { content: 'We close at dreissig', edit: 0 });
    expect([status, body.data.message]).toEqual([
      200,
      { ...sent, content: 'We close at dreissig', text: 'We close at dreissig', edit: 1, editedAt: expect.any(String) },
    ]);
    await until(async () => ear.heard('message_changed').length > 0 && vera.heard('message_changed').length > 0);
    expect(ear.heard('message_changed')).toEqual([{ chatId, message: body.data.message }]);
    const { senderId: _, ...seen } = body.data.message;
    expect(vera.heard('message_changed')).toEqual([{ message: seen }]);
    await settled(sent._id);
    expect((await rowOf(chatId)).lastMessage).toBe('We close at dreissig');
    expect((await pageOf(chatId)).messages.at(-1)).toEqual(body.data.message);
    expect([await found('zwanzig'), await found('dreissig'), await found('close')]).toEqual([[], [chatId], [chatId]]);
    const headers = { Authorization: `Bearer ${owner.token}` };
    const text = await (await fetch(`${server.url}/api/chats/${chatId}/export?format=txt`, { headers })).text();
    expect(text).toContain('Agent Olga Owner (edited): We close at dreissig');
  });

  test('has its new text also in the row of a chat that was closed after it', async () => {
    const { chatId } = await talk();
    const sent = await answer(chatId, 'Before');
    await as(owner)(`POST /chats/${chatId}/close`);
    expect((await edit(sent, { content: 'After', edit: 0 })).status).toBe(200);
    await settled(sent._id);
    expect((await rowOf(chatId)).lastMessage).toBe('After');
  });

  test('keeps the words that other messages and the visitor have', async () => {
    const { chatId } = await talk('A yellowish lamp');
    const sent = await answer(chatId, 'The yellowish lamp of Vera is purplish');
    await until(async () => (await found('purplish')).length === 1);
    await edit(sent, { content: 'Sold out' });
    await settled(sent._id);
    expect([await found('yellowish'), await found('purplish')]).toEqual([[chatId], []]);
    expect(await found('vera')).toContain(chatId);
  });

  test('is the first one of a chat in lists too', async () => {
    const { session, chatId } = await talk('Hello');
    const vera = await connectVisitor(server.url, session.visitorToken);
    const { messages } = await pageOf(chatId);
    await rowOf(chatId);
    const ask = { chatId, messageId: messages[0]._id, content: 'Good morning' };
    expect((await vera.ask('edit_message', ask)).message).toMatchObject({ content: 'Good morning', seq: 1 });
    await until(async () => {
      const { chats } = (await as(owner)('GET /chats')).body.data;
      return chats.find(({ _id }: Chat) => _id === chatId)?.messages[0].content === 'Good morning';
    });
  });

  test('counts a repeat once, answers a late retry of the first send, and refuses one that saw another text', async () => {
    const { chatId } = await talk();
    const clientId = randomUUID();
    const send = () => as(owner)(`POST /chats/${chatId}/messages`, { content: 'Frist', clientId });
    const sent: StaffMessage = (await send()).body.data.message;
    for (let i = 0; i < 2; i++)
      expect((await edit(sent, { content: 'First', edit: 0 })).body.data.message).toMatchObject({ edit: 1 });
    const retry = await send();
    expect([retry.status, retry.body.data.message.content]).toEqual([200, 'First']);
    expect((await edit(sent, { content: 'Other', edit: 0 })).body.code).toBe('MESSAGE_CHANGED');
    expect((await edit(sent, { content: 'Other', edit: 1 })).body.data.message.edit).toBe(2);
    expect((await pageOf(chatId)).messages).toHaveLength(2);
  });

  test('is refused for others, for files, and after a quarter of an hour', async () => {
    const { chatId } = await talk();
    const sent = await answer(chatId, 'Mine');
    const [first] = (await pageOf(chatId)).messages;
    expect((await edit(sent, { content: 'Yours' }, ben)).body.code).toBe('NOT_YOUR_MESSAGE');
    expect([(await edit(first, { content: 'x' })).status, (await remove(first)).status]).toEqual([403, 403]);
    const unknown = { ...sent, _id: String(new Types.ObjectId()) };
    expect((await edit(unknown, { content: 'x' })).body.code).toBe('MESSAGE_NOT_FOUND');
    expect((await edit({ ...sent, chatId: (await talk()).chatId }, { content: 'x' })).status).toBe(404);
    expect((await edit(sent, { content: ' ' })).status).toBe(422);
    expect((await edit(sent, { content: 'x'.repeat(5_001) })).status).toBe(422);
    const file = (await uploadToChat(server, owner.token, chatId, 'text', { name: 'a.txt', type: 'text/plain' })).body;
    expect((await edit(file.data.message, { content: 'x' })).body.code).toBe('NOT_A_TEXT');
    await MessageModel.updateOne({ _id: sent._id }, { $set: { createdAt: new Date(Date.now() - 15 * 60_001) } });
    for (const late of [await edit(sent, { content: 'x' }), await remove(sent)])
      expect([late.status, late.body.code]).toEqual([409, 'TOO_LATE']);
    expect((await pageOf(chatId)).messages[1]).toMatchObject({ content: 'Mine' });
  });
});

describe('a deleted message', () => {
  test('leaves its place, and neither text nor file nor word', async () => {
    const { chatId } = await talk();
    const before = await bytes();
    const sent = await answer(chatId, 'The password is geheimwort');
    const upload = await uploadToChat(server, owner.token, chatId, 'A secret', { name: 'a.txt', type: 'text/plain' });
    const file: StaffMessage = upload.body.data.message;
    await until(async () => (await found('geheimwort')).length === 1);
    await until(async () => (await bytes()).files === before.files + 8);
    for (const message of [sent, file]) {
      const { status, body } = await remove(message);
      expect([status, body.data.message]).toMatchObject([
        200,
        { seq: message.seq, content: '', text: '', type: 'text', file: null, deletedAt: expect.any(String) },
      ]);
      expect((await remove(message)).body.data.message).toEqual(body.data.message);
      expect((await edit(message, { content: 'Back' })).body.code).toBe('MESSAGE_DELETED');
      await settled(message._id);
    }
    expect((await fetch(server.url + file.file?.url)).status).toBe(404);
    expect(await found('geheimwort')).toEqual([]);
    expect((await rowOf(chatId)).lastMessage).toBe('');
    const stored = JSON.stringify(await MessageModel.find({ chat: chatId }).lean());
    for (const gone of ['geheimwort', 'a.txt']) expect(stored).not.toContain(gone);
    await until(async () => (await bytes()).files === before.files);
    const headers = { Authorization: `Bearer ${owner.token}` };
    const text = await (await fetch(`${server.url}/api/chats/${chatId}/export?format=txt`, { headers })).text();
    expect(text).toContain('Agent Olga Owner (deleted): Message deleted');
    const pdf = await fetch(`${server.url}/api/chats/${chatId}/export?format=pdf`, { headers });
    expect([pdf.status, (await pdf.arrayBuffer()).byteLength > 1_000]).toEqual([200, true]);
  });

  const bytes = async () => {
    const { text, files } = (await as(owner)(`GET /sites/${site._id}/usage`)).body.data.usage;
    return { text: text.bytes as number, files: files.bytes as number };
  };
});

describe('who was away', () => {
  test('gets the changes of a thread with open_chat, sync and over HTTP, each once', async () => {
    const { chatId } = await talk();
    const [one, two] = [await answer(chatId, 'One'), await answer(chatId, 'Two')];
    const ear = await connectStaff(server.url, ben.token);
    const opened = await ear.ask('open_chat', { chatId });
    expect([opened.edited, opened.lastEdit]).toEqual([undefined, undefined]);
    await edit(one, { content: 'Eins' });
    await remove(two);
    await Promise.all([settled(one._id), settled(two._id)]);
    const held = { chatId, afterSeq: 3, afterEdit: 0 };
    const contents = ({ edited = [] }: { edited?: StaffMessage[] }) => edited.map(({ seq, content }) => [seq, content]);
    const missed = [
      [2, 'Eins'],
      [3, ''],
    ];
    const { chats } = await ear.ask('sync', { chats: [held] });
    const again = await ear.ask('open_chat', held);
    for (const answered of [chats[0], again, await pageOf(chatId, '?after=3&afterEdit=0')])
      expect([contents(answered), answered.lastEdit]).toEqual([missed, 2]);
    const later = await ear.ask('sync', { chats: [{ ...held, afterEdit: 2 }] });
    expect([contents(later.chats[0]), later.chats[0].lastEdit]).toEqual([[], 2]);
    expect((await ear.ask('open_chat', { chatId })).lastEdit).toBe(2);
  });

  test('as a visitor gets the changes of earlier chats too, and a poll tells that there are some', async () => {
    const { session, chatId } = await talk();
    const sent = await answer(chatId, 'Typo');
    await as(owner)(`POST /chats/${chatId}/close`);
    const newer = await say(server.api, site, session, 'Another question');
    const vera = await connectVisitor(server.url, session.visitorToken);
    expect((await vera.ask('sync', {})).lastEdit).toBeUndefined();
    const poll = (body: object) =>
      server.api(`POST /widget/${site.widgetCode}/poll`, { token: session.visitorToken, body });
    const { at } = (await poll({})).body.data;
    vera.socket.disconnect();
    await edit(sent, { content: 'Corrected' });
    await settled(sent._id);
    expect((await poll({ at })).body.data.missed).toBe(true);
    const back = await connectVisitor(server.url, session.visitorToken);
    const synced = await back.ask('sync', { chatId: newer, afterSeq: 1, afterEdit: 0 });
    expect([synced.edited, synced.lastEdit]).toEqual([
      [expect.objectContaining({ chatId, seq: 2, content: 'Corrected' })],
      1,
    ]);
    expect(await back.ask('sync', { chatId: newer, afterSeq: 1, afterEdit: 1 })).not.toHaveProperty('edited');
    expect((await visitAgain(session)).lastEdit).toBe(1);
  });

  const visitAgain = async ({ visitorToken }: VisitorSession) =>
    (await server.api(`POST /widget/${site.widgetCode}/session`, { body: { visitorToken } })).body.data;
});

test('concurrent changes of one visitor get numbers without duplicates, and the last number is the newest change', async () => {
  const { chatId } = await talk();
  const sent: StaffMessage[] = [];
  for (let i = 0; i < 6; i++) sent.push(await answer(chatId, `Message ${i}`));
  const changed = await Promise.all(
    sent.flatMap((message) => [1, 2].map((n) => edit(message, { content: `Text ${n}` }))),
  );
  expect(changed.map(({ status }) => status)).toEqual(Array(12).fill(200));
  await Promise.all(sent.map(({ _id }) => settled(_id)));
  const stored = await MessageModel.find({ chat: chatId, edit: { $exists: true } }).lean();
  const numbers = stored.map(({ edit }) => edit ?? 0);
  expect(new Set(numbers).size).toBe(6);
  expect((await ChatModel.findById(chatId).orFail().lean()).lastEdit).toBe(Math.max(...numbers));
  expect((await pageOf(chatId, '?after=7&afterEdit=0')).edited).toHaveLength(6);
});

test('a visitor corrects and deletes own messages, and only those', async () => {
  const { session, chatId } = await talk('Helo');
  const [first] = (await pageOf(chatId)).messages;
  const [vera, other] = [
    await connectVisitor(server.url, session.visitorToken),
    await connectVisitor(server.url, (await talk()).session.visitorToken),
  ];
  const sent = await answer(chatId, 'Mine');
  const ask = { chatId, messageId: first._id, content: 'Hello', edit: 0 };
  expect(await other.ask('edit_message', ask)).toMatchObject({ ok: false, code: 'CHAT_NOT_FOUND' });
  expect(await vera.ask('edit_message', { ...ask, messageId: sent._id })).toMatchObject({ code: 'NOT_YOUR_MESSAGE' });
  expect((await vera.ask('edit_message', ask)).message).toMatchObject({ content: 'Hello', edit: 1 });
  expect((await vera.ask('delete_message', { chatId, messageId: first._id })).message).toMatchObject({ content: '' });
  expect((await pageOf(chatId)).messages[0]).toMatchObject({ content: '', deletedAt: expect.any(String) });
});

test('the reconciler finishes a change that a crash interrupted after its commit', async () => {
  const { chatId } = await talk();
  const sent = await answer(chatId, 'Half abgebrochen');
  await until(async () => (await found('abgebrochen')).length === 1);
  const { visitor } = await ChatModel.findById(chatId).orFail().lean();
  await MessageModel.updateOne(
    { _id: sent._id },
    { $set: { content: 'Whole', editedAt: new Date(), edit: 1, visitor, unapplied: new Types.ObjectId() } },
  );
  const ear = await connectStaff(server.url, owner.token);
  const now = Math.floor(Date.now() / 1000);
  const span = { after: now - 60, until: now + 1 };
  expect(await messageChanges.check(span, 1)).toBe(true);
  await messageChanges.repair(span, new AbortController().signal);
  expect(await messageChanges.check(span, 1)).toBe(false);
  expect((await rowOf(chatId)).lastMessage).toBe('Whole');
  expect(await found('abgebrochen')).toEqual([]);
  await until(async () => ear.heard('message_changed').length > 0);
});

test('every query for changes uses an index', async ({ skip }) => {
  await needPlans(skip);
  const visitor = new Types.ObjectId();
  const queries = [
    MessageModel.find({ visitor, edit: { $gt: 0 } })
      .sort({ edit: -1 })
      .limit(1),
    MessageModel.find({ visitor, edit: { $gt: 3 }, chat: visitor }).sort({ edit: 1 }),
    MessageModel.find({ unapplied: { $gt: visitor } }).sort({ unapplied: 1 }),
  ];
  for (const query of queries) expect(JSON.stringify(await query.explain())).not.toMatch(/COLLSCAN|"stage":"SORT"/);
});
