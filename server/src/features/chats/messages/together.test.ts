import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createSite, join, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Chat, Site } from '../../../../contract.ts';

let server: TestServer;
let owner: Account;
let ana: Account;
let site: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api, 'Olga Owner');
  ana = await signUp(server.api, 'Ana Ruiz');
  site = await createSite(server.api, owner.token);
  await join(site, ana, 'agent');
});
afterEach(hangUp);
afterAll(() => server.stop());

const there = (who: Account) => connectStaff(server.url, who.token);
const last = (ear: Ear, event: string) => ear.heard(event).at(-1);

/** Somebody with the chat open. */
async function before(chatId: string, who: Account): Promise<Ear> {
  const ear = await there(who);
  await ear.ask('open_chat', { chatId });
  return ear;
}

async function visitorWithChat(): Promise<{ vera: Ear; chatId: string }> {
  const { visitorToken } = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const vera = await connectVisitor(server.url, visitorToken);
  const { chat } = await vera.ask('send_message', { clientId: randomUUID(), content: 'Hello' });
  return { vera, chatId: chat._id };
}

describe('typing events', () => {
  test("of an agent reach colleagues in the chat and the visitor, under the agent's name", async () => {
    const { vera, chatId } = await visitorWithChat();
    const [olga, hers, elsewhere] = [await before(chatId, owner), await before(chatId, ana), await there(owner)];
    expect(await hers.ask('typing', { chatId, isTyping: true })).toEqual({ ok: true });
    await until(async () => last(olga, 'typing'));
    expect(olga.heard('typing')).toEqual([{ chatId, from: 'agent', name: 'Ana Ruiz', isTyping: true }]);
    await until(async () => last(vera, 'typing'));
    expect(vera.heard('typing')).toEqual([{ name: 'Ana Ruiz', isTyping: true }]);
    await hers.ask('typing', { chatId, isTyping: false });
    await until(async () => last(vera, 'typing').isTyping === false);
    expect([hers.heard('typing'), elsewhere.heard('typing')]).toEqual([[], []]);
  });

  test('of a visitor reach the chat, and end with the message', async () => {
    const { vera, chatId } = await visitorWithChat();
    const hers = await before(chatId, ana);
    expect(await vera.ask('typing', { isTyping: true })).toEqual({ ok: true });
    await vera.ask('typing', { isTyping: true });
    await vera.ask('send_message', { clientId: randomUUID(), content: 'Anybody?' });
    await until(async () => hers.heard('typing').length > 1);
    expect(hers.heard('typing').map(({ from, name, isTyping }) => [from, name, isTyping])).toEqual([
      ['visitor', 'Vera', true],
      ['visitor', 'Vera', false],
    ]);
    expect(vera.heard('typing')).toEqual([]);
  });

  test('are ignored in a closed chat and without an open chat', async () => {
    const { vera, chatId } = await visitorWithChat();
    const [olga, hers] = [await before(chatId, owner), await before(chatId, ana)];
    await hers.ask('close_chat', { chatId });
    for (const ear of [hers, vera]) expect((await ear.ask('typing', { chatId, isTyping: true })).ok).toBe(true);
    await hers.ask('leave_chat', { chatId });
    await until(async () => last(olga, 'viewers')?.users.length === 1);
    expect(olga.heard('typing')).toEqual([]);
  });
});

describe('viewers', () => {
  const names = (ear: Ear) => last(ear, 'viewers')?.users.map(({ name }: { name: string }) => name);

  test('are all people who have the chat open, each once, until their last tab closes it', async () => {
    const { chatId } = await visitorWithChat();
    const olga = await before(chatId, owner);
    await until(async () => names(olga)?.length === 1);
    expect(last(olga, 'viewers')).toEqual({ chatId, users: [{ _id: owner.user._id, name: 'Olga Owner' }] });
    const [one, two] = [await before(chatId, ana), await before(chatId, ana)];
    await until(async () => names(olga)?.length === 2);
    expect(names(olga).sort()).toEqual(['Ana Ruiz', 'Olga Owner']);
    one.socket.disconnect();
    await until(async () => olga.heard('viewers').length >= 4);
    expect(names(olga)).toHaveLength(2);
    await two.ask('leave_chat', { chatId });
    await until(async () => names(olga).length === 1);
  });

  test('do not include a member who was removed from the team', async () => {
    const { chatId } = await visitorWithChat();
    const ben = await signUp(server.api, 'Ben Okafor');
    await join(site, ben, 'agent');
    const [olga] = [await before(chatId, owner), await before(chatId, ben)];
    await until(async () => names(olga)?.length === 2);
    const body = { siteId: site._id };
    await server.api(`DELETE /team/members/${ben.user._id}`, { token: owner.token, body });
    await until(async () => names(olga).length === 1);
  });
});

describe('an answer', () => {
  const row = async (id: string): Promise<Chat> =>
    (await server.api(`GET /chats/${id}`, { token: owner.token })).body.data.chat;

  test('marks all messages before it as read, and no later ones', async () => {
    const { vera, chatId } = await visitorWithChat();
    await vera.ask('send_message', { clientId: randomUUID(), content: 'And another thing' });
    await until(async () => (await row(chatId)).unread === 2);
    await server.api(`POST /chats/${chatId}/message`, { token: ana.token, body: { text: 'Let me see' } });
    await until(async () => (await row(chatId)).unread === 0);
    await until(async () => last(vera, 'receipts')?.read === 3);
    await vera.ask('send_message', { clientId: randomUUID(), content: 'Thanks' });
    await until(async () => (await row(chatId)).unread === 1);
  });
});
