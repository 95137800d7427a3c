import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Chat, SeenPage, Site, VisitorSession } from '../../../../contract.ts';
import { MessageModel } from '../../chats/messageModel.ts';
import { ChatModel } from '../../chats/model.ts';
import { NoteModel } from '../../chats/notes/noteModel.ts';
import { PAGES_SEEN_MAX } from '../contract.ts';
import { VisitorModel } from '../model.ts';

let server: TestServer;
let owner: Account;
let viewer: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  [owner, viewer] = await Promise.all([signUp(server.api, 'Olga'), signUp(server.api, 'Vic')]);
});
beforeEach(async () => {
  await server.api(`DELETE /sites/${site?._id ?? 'none'}`, { token: owner.token });
  site = await createSite(server.api, owner.token);
  await join(site, viewer, 'viewer');
});
afterEach(hangUp);
afterAll(() => server.stop());

const unknownId = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const as = (account: Account) => (call: string, body?: object) => server.api(call, { token: account.token, body });
const asVisitor = ({ visitorToken }: VisitorSession, call: string, body?: object) =>
  server.api(call.replace(':code', site.widgetCode), { token: visitorToken, body });
const words = (content: string) => ({ clientId: randomUUID(), content });
const vera = (more: object = {}) => visit(server.api, site, { visitor: { name: 'Vera' }, ...more });
const row = async (id: string): Promise<Chat> => (await as(owner)(`GET /chats/${id}`)).body.data.chat;
const once = (ear: Ear, event: string) => until(async () => ear.heard(event).length > 0 && ear.heard(event));

describe('names', () => {
  test('given later are added to the open chat, and not to the closed one', async () => {
    const session = await visit(server.api, site);
    const old = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${old}/close`);
    const open = await say(server.api, site, session, 'Again');
    const desk = await connectStaff(server.url, owner.token);
    await visit(server.api, site, {
      visitorToken: session.visitorToken,
      visitor: { name: 'Vera', email: 'vera@example.com' },
    });
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat.visitorInfo.name === 'Vera'));
    expect((await row(open)).visitorInfo).toMatchObject({ name: 'Vera', email: 'vera@example.com' });
    expect((await row(old)).visitorInfo.name).toBeNull();
  });

  test('come with the offline form, which creates a waiting chat once', async () => {
    const session = await visit(server.api, site);
    const form = { ...words('Call me back'), name: 'Vera', email: 'vera@example.com' };
    const send = (body: object) => asVisitor(session, 'POST /widget/:code/offline', body);
    const made = await send(form);
    expect([made.status, made.body.data.chat.status]).toEqual([201, 'waiting']);
    expect((await send(form)).status).toBe(200);
    expect(await row(made.body.data.chat._id)).toMatchObject({
      visitorInfo: { name: 'Vera', email: 'vera@example.com' },
    });
    for (const part of ['name', 'email', 'content', 'clientId'])
      expect((await send({ ...form, [part]: undefined })).status).toBe(422);
    expect((await send({ ...form, email: 'nowhere' })).status).toBe(422);
    expect((await server.api(`POST /widget/${site.widgetCode}/offline`, { body: form })).status).toBe(401);
  });
});

describe('a visitor', () => {
  test('can rate their own chat over HTTP and sockets; the last rating counts', async () => {
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    const desk = await connectStaff(server.url, owner.token);
    const chatId = await say(server.api, site, session, 'Hello');
    await as(owner)(`POST /chats/${chatId}/close`);
    const rated = await asVisitor(session, 'POST /widget/:code/rating', { chatId, score: 2, comment: ' Slow ' });
    expect(rated.body.data.chat.rating).toEqual({ score: 2, comment: 'Slow' });
    expect(await ear.ask('rate', { chatId, score: 5 })).toEqual({ ok: true });
    expect((await row(chatId)).rating).toEqual({ score: 5, comment: null });
    await until(async () => desk.heard('chat_updated').some(({ chat }) => chat.rating?.score === 5));
    const resumed = await visit(server.api, site, { visitorToken: session.visitorToken });
    expect(resumed.chat?.rating).toEqual({ score: 5, comment: null });
  });

  test.each([{ score: 0 }, { score: 6 }, { score: 4.5 }, { score: '5' }, {}, { score: 3, comment: 'x'.repeat(1001) }])(
    'a rating of %j is refused',
    async (body) => {
      const session = await vera();
      const chatId = await say(server.api, site, session, 'Hello');
      expect((await asVisitor(session, 'POST /widget/:code/rating', { chatId, ...body })).status).toBe(422);
    },
  );

  test('can neither rate nor end the chat of another visitor', async () => {
    const chat = await newChat(server.api, site, owner.token);
    const session = await vera();
    const ear = await connectVisitor(server.url, session.visitorToken);
    for (const chatId of [chat._id, unknownId]) {
      const rated = await asVisitor(session, 'POST /widget/:code/rating', { chatId, score: 5 });
      expect([rated.status, rated.body.code]).toEqual([404, 'CHAT_NOT_FOUND']);
      expect((await ear.ask('rate', { chatId, score: 5 })).code).toBe('CHAT_NOT_FOUND');
      expect((await ear.ask('close_chat', { chatId })).code).toBe('CHAT_NOT_FOUND');
    }
    expect(await row(chat._id)).toMatchObject({ status: 'waiting', rating: null });
  });

  test('can end their own chat, once', async () => {
    const session = await vera();
    const [ear, desk] = [
      await connectVisitor(server.url, session.visitorToken),
      await connectStaff(server.url, owner.token),
    ];
    const { chat } = await ear.ask('send_message', words('Never mind'));
    expect(await ear.ask('close_chat', { chatId: chat._id })).toEqual({ ok: true });
    expect(await ear.ask('close_chat', { chatId: chat._id })).toEqual({ ok: true });
    expect(await once(desk, 'chat_closed')).toEqual([{ chatId: chat._id, closedBy: null }]);
    expect(await once(ear, 'chat_closed')).toEqual([{ chatId: chat._id }]);
    const { messages } = (await as(owner)(`GET /chats/${chat._id}/messages`)).body.data;
    expect(
      messages.map(({ sender, event, senderName }: Record<string, unknown>) => [sender, event, senderName]),
    ).toEqual([
      ['visitor', null, 'Vera'],
      ['system', 'closed', 'Vera'],
    ]);
  });
});

describe('page history', () => {
  const pageOf = (path: string) => ({ url: `https://shop.example.com/${path}`, title: path.toUpperCase() });
  const start = async () => {
    const session = await vera({ page: pageOf('a') });
    const chatId = await say(server.api, site, session, 'Hello');
    const desk = await connectStaff(server.url, viewer.token);
    const ear = await connectVisitor(server.url, session.visitorToken);
    const pages = async (): Promise<SeenPage[]> => (await desk.ask('open_chat', { chatId })).visitor.pages;
    const paths = async () => (await pages()).map(({ title }) => title.toLowerCase()).join(' ');
    return { session, desk, ear, pages, paths, visitor: { _id: session.visitor._id } };
  };

  test('is stored newest first, without consecutive duplicates, and sent live', async () => {
    const { session, desk, ear, pages, paths } = await start();
    expect(await pages()).toEqual([{ ...pageOf('a'), at: expect.any(String) }]);
    for (const path of ['b', 'b', 'a']) await ear.ask('page', pageOf(path));
    await visit(server.api, site, { visitorToken: session.visitorToken, page: pageOf('c') });
    expect(await paths()).toBe('c a b a');
    await ear.ask('page', { ...pageOf('c'), title: 'Loaded' });
    expect(await paths()).toBe('loaded a b a');
    const told = await until(async () => desk.heard('visitor_updated').find(({ page }) => page?.title === 'Loaded'));
    expect(told?.pages).toEqual(await pages());
    const times = (await pages()).map(({ at }) => Date.parse(at));
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  test('has the last ten pages, also when tabs open them at once', async () => {
    const { session, ear, pages, paths } = await start();
    const many = Array.from({ length: 14 }, (_, n) => `p${n}`);
    for (const path of many) await ear.ask('page', pageOf(path));
    expect(await paths()).toBe(many.slice(-PAGES_SEEN_MAX).reverse().join(' '));
    const other = await connectVisitor(server.url, session.visitorToken);
    await Promise.all(['x', 'x', 'y', 'y'].flatMap((path) => [ear, other].map((tab) => tab.ask('page', pageOf(path)))));
    const urls = (await pages()).map(({ url }) => url);
    expect(urls).toHaveLength(PAGES_SEEN_MAX);
    expect(urls.filter((url, index) => url === urls[index - 1])).toEqual([]);
  });

  test('is empty for a visitor stored before it existed, until the next page', async () => {
    const { visitor, ear, pages, paths } = await start();
    await VisitorModel.updateOne(visitor, { $unset: { pages: 1 } });
    expect(await pages()).toEqual([]);
    await ear.ask('page', pageOf('b'));
    expect(await paths()).toBe('b');
  });
});

describe('the data of a visitor', () => {
  test('is exported completely, as one file', async () => {
    const session = await vera({ page: { url: 'https://shop.example.com/a', title: 'A' } });
    const chatId = await say(server.api, site, session, 'First "quoted" 👋');
    await as(owner)(`POST /chats/${chatId}/close`);
    const second = await say(server.api, site, session, 'Second');
    for (let i = 0; i < 120; i++) await as(owner)(`POST /chats/${second}/messages`, { content: `m${i}` });
    await as(owner)(`POST /chats/${second}/notes`, { content: 'Friendly' });
    const { status, body, headers } = await as(viewer)(`GET /visitors/${session.visitor._id}/export`);
    expect(status).toBe(200);
    expect(headers['content-disposition']).toContain(`visitor-${session.visitor._id}.json`);
    const { visitor, chats } = body;
    expect(visitor).toMatchObject({ name: 'Vera', site: { _id: site._id }, page: { title: 'A' }, blocked: false });
    expect(visitor.pages).toEqual([{ url: 'https://shop.example.com/a', title: 'A', at: expect.any(String) }]);
    expect(JSON.stringify(visitor)).not.toContain('tokenHash');
    expect(
      chats.map(({ _id, messages, notes }: { _id: string; messages: []; notes: [] }) => [
        _id,
        messages.length,
        notes.length,
      ]),
    ).toEqual([
      [chatId, 2, 0],
      [second, 121, 1],
    ]);
    expect(chats[0].messages[0].content).toBe('First "quoted" 👋');
    const empty = await as(owner)(`GET /visitors/${(await vera()).visitor._id}/export`);
    expect(empty.body.chats).toEqual([]);
  });

  const leftOf = async (session: VisitorSession, chatId: string) => ({
    chats: await ChatModel.countDocuments({ visitor: session.visitor._id }),
    words: await MessageModel.countDocuments({ chat: chatId, event: null }),
    notes: await NoteModel.countDocuments({ chat: chatId }),
    person: await VisitorModel.findById(session.visitor._id, {
      name: 1,
      email: 1,
      page: 1,
      pages: 1,
      userAgent: 1,
      _id: 0,
    }).lean(),
  });
  const nothing = { chats: 0, words: 0, notes: 0, person: { name: null, email: null, page: null, userAgent: '' } };

  test.each(['the team', 'the visitor'])('is erased by %s: nothing is left, and everybody is notified', async (by) => {
    const session = await vera({ page: { url: 'https://shop.example.com/secret', title: 'Secret' } });
    const ear = await connectVisitor(server.url, session.visitorToken);
    const desk = await connectStaff(server.url, viewer.token);
    const chatId = await say(server.api, site, session, 'Forget me');
    await as(owner)(`POST /chats/${chatId}/notes`, { content: 'About Vera' });
    const erased =
      by === 'the team'
        ? await as(owner)(`DELETE /visitors/${session.visitor._id}`)
        : await asVisitor(session, 'DELETE /widget/:code/me');
    expect(erased.status).toBe(200);
    expect(await leftOf(session, chatId)).toEqual(nothing);
    expect(await once(ear, 'session_ended')).toEqual([{ reason: 'erased' }]);
    await until(async () => !ear.socket.connected);
    expect(await once(desk, 'visitor_erased')).toEqual([{ visitorId: session.visitor._id, siteId: site._id }]);
    expect(await once(desk, 'chat_deleted')).toEqual([{ chatId }]);
    expect((await as(owner)(`GET /visitors/${session.visitor._id}/export`)).status).toBe(404);
    expect((await asVisitor(session, 'POST /widget/:code/messages', words('Me?'))).status).toBe(401);
    const fresh = await visit(server.api, site, { visitorToken: session.visitorToken });
    expect(fresh.visitor).toEqual({ _id: expect.not.stringMatching(session.visitor._id), name: null, email: null });
  });
});
