import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site, VisitorSession } from '../../../contract.ts';

let server: TestServer;
let owner: Account;
let viewer: Account;
let site: Site;
let session: VisitorSession;
let chatId: string;

beforeAll(async () => {
  server = await sharedServer();
  [owner, viewer] = [await signUp(server.api), await signUp(server.api)];
  site = await createSite(server.api, owner.token);
  await join(site, viewer, 'viewer');
  session = await visit(server.api, site);
  chatId = await say(server.api, site, session, 'Hello');
});
afterAll(async () => {
  hangUp();
  await server.stop();
});

const show = (typingPreview: boolean) =>
  server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings: { typingPreview } } });

const texts = (ear: Ear) => ear.heard('typing').map(({ text }) => text ?? null);

test('those who have the chat open see what is typed, masked and only while the site shows it', async () => {
  const [desk, other, list] = [
    await connectStaff(server.url, owner.token),
    await connectStaff(server.url, viewer.token),
    await connectStaff(server.url, owner.token),
  ];
  for (const ear of [desk, other]) expect((await ear.ask('open_chat', { chatId })).ok).toBe(true);
  const page = await connectVisitor(server.url, session.visitorToken);
  const type = async (text: string) => {
    await page.ask('typing', { isTyping: false });
    await page.ask('typing', { isTyping: true, text });
  };

  await page.ask('typing', { isTyping: true, text: 'My secret' });
  await until(async () => desk.heard('typing').length === 1);
  expect(texts(desk)).toEqual([null]);
  await page.ask('typing', { isTyping: false });

  await show(true);
  expect((await server.api(`GET /widget/${site.widgetCode}`)).body.data.typingPreview).toBe(true);
  await until(async () => {
    await type('Card 4111 1111 1111 1111');
    return texts(desk).at(-1) ?? texts(desk).at(-2);
  });
  await until(async () => texts(other).some((text) => text !== null));
  for (const ear of [desk, other]) expect(texts(ear).join(' ')).toContain('•');
  expect(texts(desk).join(' ')).not.toContain('4111');
  expect(list.heard('typing')).toEqual([]);
  expect((await page.ask('typing', { isTyping: true, text: 'x'.repeat(501) })).ok).toBe(false);

  await say(server.api, site, session, 'Sent');
  await until(async () => desk.heard('typing').at(-1).isTyping === false);
  expect(desk.heard('typing').at(-1)).not.toHaveProperty('text');
});

test('nobody else hears of it, and nobody sees what blocked visitors type', async () => {
  await show(true);
  const stranger = await signUp(server.api);
  await createSite(server.api, stranger.token);
  const blocked = await visit(server.api, site);
  const blockedChat = await say(server.api, site, blocked, 'Hello');
  const [row] = (await server.api('GET /chats', { token: owner.token })).body.data.chats.filter(
    ({ _id }: { _id: string }) => _id === blockedChat,
  );
  await server.api(`POST /visitors/${row.visitorId}/block`, { token: owner.token });

  const desk = await connectStaff(server.url, owner.token);
  const foreign = await connectStaff(server.url, stranger.token);
  for (const id of [chatId, blockedChat]) await desk.ask('open_chat', { chatId: id });
  expect((await foreign.ask('open_chat', { chatId })).ok).toBe(false);
  const other = await connectVisitor(server.url, (await visit(server.api, site)).visitorToken);
  const shut = await connectVisitor(server.url, blocked.visitorToken);
  expect(await shut.ask('typing', { isTyping: true, text: 'Let me in' })).toMatchObject({ ok: false, code: 'BLOCKED' });
  const page = await connectVisitor(server.url, session.visitorToken);
  await until(async () => {
    await page.ask('typing', { isTyping: true, text: 'A chair' });
    return texts(desk).includes('A chair');
  });
  expect(texts(desk)).not.toContain('Let me in');
  for (const ear of [foreign, other]) expect(ear.heard('typing')).toEqual([]);
});

test('it is gone at once when the page is left or the visitor blocked, and not only when it ends by itself', async () => {
  await show(true);
  const desk = await connectStaff(server.url, owner.token);
  const slow = await visit(server.api, site);
  const slowChat = await say(server.api, site, slow, 'Hello');
  for (const id of [chatId, slowChat]) await desk.ask('open_chat', { chatId: id });
  const ended = () =>
    desk
      .heard('typing')
      .filter(({ isTyping }) => !isTyping)
      .map((event) => event.chatId);
  const slowPage = await connectVisitor(server.url, slow.visitorToken);
  const page = await connectVisitor(server.url, session.visitorToken);
  await until(async () => {
    await slowPage.ask('typing', { isTyping: true, text: 'A table' });
    await page.ask('typing', { isTyping: true, text: 'A chair' });
    return texts(desk).includes('A table') && texts(desk).includes('A chair');
  });
  page.socket.disconnect();
  await until(async () => ended().length > 0);
  // By itself, what began first would end first.
  expect(ended()).toEqual([chatId]);

  const other = await visit(server.api, site);
  const otherChat = await say(server.api, site, other, 'Hello');
  await desk.ask('open_chat', { chatId: otherChat });
  const otherPage = await connectVisitor(server.url, other.visitorToken);
  for (const [who, text] of [[slowPage, 'A table!'] as const, [otherPage, 'A bed'] as const])
    await until(async () => {
      await who.ask('typing', { isTyping: true, text });
      return texts(desk).includes(text);
    });
  const { visitorId } = (await server.api(`GET /chats/${otherChat}`, { token: owner.token })).body.data.chat;
  await server.api(`POST /visitors/${visitorId}/block`, { token: owner.token });
  await until(async () => ended().length > 1);
  expect(ended()).toEqual([chatId, otherChat]);
});
