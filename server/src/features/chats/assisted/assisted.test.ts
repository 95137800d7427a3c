import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, BROWSER, createSite, join, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { type ModelStandIn, modelOf, startStandIn } from '#test/modelStandIn';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { Chat, Message, Site, VisitorSession } from '../../../../contract.ts';
import { NoticeModel } from '../../notify/model.ts';
import { type ChatDoc, ChatModel } from '../model.ts';
import { rebuild } from '../row/rebuild.ts';

let standIn: ModelStandIn;
let box: Mailbox;
let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  standIn = await startStandIn();
  standIn.use('silence');
  box = await startMailbox();
  server = await startServer({ ...mailingInto(box), model: modelOf(standIn) });
});
beforeEach(async () => {
  owner = await signUp(server.api, 'Olga');
  site = await createSite(server.api, owner.token);
  await as(`PATCH /sites/${site._id}/assistant`, { step: 'answer', name: 'Robo', rev: 0 });
});
afterEach(hangUp);
afterAll(async () => {
  await server.stop();
  await Promise.all([standIn.stop(), box.stop()]);
});

const as = (call: string, body?: object, { token } = owner) => server.api(call, { token, body });
const chatNow = async (id: string): Promise<Chat> => (await as(`GET /chats/${id}`)).body.data.chat;
const thread = async (id: string): Promise<Message[]> => (await as(`GET /chats/${id}/messages`)).body.data.messages;
const listed = async (query: string): Promise<string[]> =>
  (await as(`GET /chats?${query}`)).body.data.chats.map(({ _id }: Chat) => _id);
const noticesOf = (id: string) => NoticeModel.countDocuments({ chat: id });
const words = (content = 'Where is my parcel?') => ({ clientId: randomUUID(), content });
const sendAs = async ({ visitorToken }: VisitorSession, body: object) =>
  (await server.api(`POST /widget/${site.widgetCode}/messages`, { token: visitorToken, body })).body.data;
const vera = (more: object = {}) => visit(server.api, site, { visitor: { name: 'Vera' }, ...more });

/** A chat that the assistant has, once its row stands. */
async function assisted(more: object = {}): Promise<{ id: string; session: VisitorSession }> {
  const session = await vera(more);
  const { chat } = await sendAs(session, words());
  expect(chat.assistant).toMatchObject({ name: 'Robo' });
  await until(async () => (await chatNow(chat._id)).lastSeq === 1);
  return { id: chat._id, session };
}
const over = (id: string) => until(async () => (await chatNow(id)).assistant?.active === false && chatNow(id));

test('a chat with the assistant is in no list of people and rings nobody; with the hand-over it waits since the question, and rings', async () => {
  await as(`PATCH /sites/${site._id}`, { settings: { autoAssign: true } });
  const desk = await connectStaff(server.url, owner.token);
  const session = await vera({ speaks: 'de' });
  const widget = await connectVisitor(server.url, session.visitorToken);
  const { chat, message } = await widget.ask('send_message', words());
  const id = chat._id;
  const shown = await until(async () => desk.heard('new_message')[0]);
  expect([shown.message.content, shown.notice]).toEqual(['Where is my parcel?', undefined]);
  expect(await chatNow(id)).toMatchObject({ status: 'waiting', claimedBy: null, assistant: { active: true } });
  expect(await listed('status=waiting')).toEqual([]);
  expect(await listed('unread=yes')).toEqual([]);
  expect(await listed('status=assistant')).toEqual([id]);
  expect(await noticesOf(id)).toBe(0);

  const { chat: after } = await widget.ask('want_person', { chatId: id });
  expect(after).not.toHaveProperty('assistant');
  expect(await widget.ask('want_person', { chatId: id })).toMatchObject({ ok: true });
  const [, said] = await until(async () => (await thread(id)).length === 2 && thread(id));
  expect(said).toMatchObject({ sender: 'system', event: 'handed_over', content: 'Ab hier antwortet ein Mensch.' });
  expect(said).not.toHaveProperty('reason');
  const handed = await over(id);
  expect(handed).toMatchObject({ waitingSince: message.timestamp, assistant: { active: false, reason: 'asked' } });
  expect(desk.heard('new_message').at(-1)).toMatchObject({ message: { event: 'handed_over' }, notice: {} });
  await until(async () => widget.heard('assistant_changed').some(({ assistant }) => assistant === null));
  // The owner is there, so the server gives the chat to the owner.
  await until(async () => (await chatNow(id)).claimedBy?._id === owner.user._id);
  await until(async () => (await noticesOf(id)) > 0);

  await sendAs(session, words('Hello?'));
  expect((await chatNow(id)).assistant).toEqual({ active: false, answers: 0, reason: 'asked' });
});

test('where nobody is there, the team is mailed of a chat that is handed over as of any that begins then', async () => {
  const { id } = await assisted();
  await as(`POST /chats/${id}/assistant`, { on: true }).then(({ status }) => expect(status).toBe(422));
  const { body } = await as(`POST /chats/${id}/assistant`, { on: false });
  expect(body.data.chat.assistant).toEqual({ active: false, answers: 0, reason: 'agent' });
  const other = await assisted();
  await (await connectVisitor(server.url, other.session.visitorToken)).ask('want_person', { chatId: other.id });
  await until(async () => (await NoticeModel.findOne({ chat: other.id, kind: 'team' }).lean())?.isOffline);
});

test('what a member does in a chat ends the assistant: a claim, an answer, typing, a transfer', async () => {
  const ben = await signUp(server.api, 'Ben');
  await join(site, ben, 'agent');
  const desk = await connectStaff(server.url, owner.token);
  const acts: ((id: string) => Promise<unknown>)[] = [
    (id) => as(`POST /chats/${id}/claim`),
    (id) => as(`POST /chats/${id}/messages`, words('It is on its way.')),
    (id) => desk.ask('typing', { chatId: id, isTyping: true }),
    (id) => as(`POST /chats/${id}/transfer`, { userId: ben.user._id }),
  ];
  for (const act of acts) {
    const { id } = await assisted();
    await act(id);
    expect(await over(id)).toMatchObject({ assistant: { reason: 'agent' } });
    const [, said, answer] = await thread(id);
    expect(said).toMatchObject({ event: 'handed_over', seq: 2 });
    if (answer) expect(answer).toMatchObject({ sender: 'agent', seq: 3 });
    expect(desk.heard('new_message').findLast(({ chatId }) => chatId === id)).not.toHaveProperty('notice');
  }
});

test('a chat that is closed with the assistant stays with people when it is opened again', async () => {
  const { id } = await assisted();
  await as(`POST /chats/${id}/close`);
  expect((await chatNow(id)).assistant).toEqual({ active: false, answers: 0 });
  await as(`POST /chats/${id}/reopen`);
  expect(await chatNow(id)).toMatchObject({ status: 'active', assistant: { active: false } });
  expect((await ChatModel.findById(id).lean())?.assistant?.run).toBeUndefined();
});

test('a row that is rebuilt from the messages says the same of the assistant', async () => {
  const { id } = await assisted();
  const kept = async () => {
    const row = await ChatModel.findById(id).lean<ChatDoc>();
    const rebuilt = await rebuild(new Types.ObjectId(id), {});
    const stated = (chat: ChatDoc | null) => [chat?.assisted, chat?.assistant, chat?.waitingSince];
    expect(stated(rebuilt)).toEqual(stated(row));
    return rebuilt;
  };
  // A run begins a moment after the message.
  await until(() => ChatModel.exists({ _id: id, 'assistant.run': { $exists: true } }));
  expect(await kept()).toMatchObject({ assisted: true });
  await as(`POST /chats/${id}/assistant`, { on: false });
  await until(async () => (await chatNow(id)).lastSeq === 2);
  expect(await kept()).toMatchObject({ assistant: { reason: 'agent' } });
  // As a process leaves it that dies right after the message.
  await ChatModel.updateOne({ _id: id }, { $set: { assisted: true, lastSeq: 1 }, $unset: { 'assistant.reason': 1 } });
  expect(await rebuild(new Types.ObjectId(id), {})).toMatchObject({ lastSeq: 2, assistant: { reason: 'agent' } });
  expect((await chatNow(id)).assistant?.active).toBe(false);
});

test('the assistant begins only where the settings say so, and nobody has asked for a person', async () => {
  const begins = async (more: object = {}, body: object = {}) =>
    'assistant' in (await sendAs(await vera(more), { ...words(), ...body })).chat;
  const set = async (patch: object) => {
    const { rev } = (await as(`GET /sites/${site._id}/assistant`)).body.data.assistant;
    await as(`PATCH /sites/${site._id}/assistant`, { ...patch, rev });
  };
  const config = async (query = '') => (await server.api(`GET /widget/${site.widgetCode}${query}`)).body.data;
  expect(await begins()).toBe(true);
  expect((await config()).assistant).toEqual({ name: 'Robo' });
  expect(await begins({}, { person: true })).toBe(false);
  await set({ languages: ['de'] });
  expect([await begins({ speaks: 'de-AT' }), await begins({ speaks: 'tr' })]).toEqual([true, false]);
  expect([(await config('?l=de')).assistant, (await config('?l=tr')).assistant]).toEqual([{ name: 'Robo' }, undefined]);
  await set({ languages: [], when: 'offline' });
  expect(await begins()).toBe(true);
  const widget = await connectVisitor(server.url, (await vera()).visitorToken);
  await connectStaff(server.url, owner.token);
  await until(async () => widget.heard('config_changed').some((event) => !('assistant' in event.config)));
  expect(await begins()).toBe(false);
  await set({ when: 'always', step: 'suggest' });
  expect(await begins()).toBe(false);

  const offline = { ...words(), name: 'Vera', email: 'vera@example.com' };
  await set({ step: 'answer' });
  const { visitorToken } = await vera();
  const left = await server.api(`POST /widget/${site.widgetCode}/offline`, { token: visitorToken, body: offline });
  expect(left.body.data.chat).not.toHaveProperty('assistant');
  const machine = await server.api(`POST /widget/${site.widgetCode}/session`, {
    body: {},
    headers: { ...BROWSER, 'User-Agent': 'Googlebot/2.1' },
  });
  expect((await sendAs(machine.body.data, words())).chat).not.toHaveProperty('assistant');
});

test('chats are given to people when the site switches the assistant off', async () => {
  const { id } = await assisted();
  await as(`PATCH /sites/${site._id}/assistant`, { step: 'links', rev: 1 });
  expect(await over(id)).toMatchObject({ assistant: { reason: 'off' } });
});

test('a chat without the assistant has no field of it', async () => {
  await as(`PATCH /sites/${site._id}/assistant`, { step: 'links', rev: 1 });
  const id = await say(server.api, site, await vera(), 'Hello');
  await as(`POST /chats/${id}/claim`);
  const row = await ChatModel.findById(id).lean();
  expect(Object.keys(row ?? {}).filter((name) => name.startsWith('assist'))).toEqual([]);
  expect((await as(`POST /chats/${id}/assistant`, { on: false })).body.data.chat).not.toHaveProperty('assistant');
  expect(await thread(id)).toHaveLength(1);
});
