import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Account, createSite, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Site } from '../../../../contract.ts';

let server: TestServer;
let owner: Account;
let site: Site;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.api);
  site = await createSite(server.api, owner.token);
});
afterEach(hangUp);
afterAll(() => server.stop());

const staff = (account = owner) => connectStaff(server.url, account.token);
const once = (ear: Ear, event: string, count = 1) =>
  until(async () => ear.heard(event).length >= count && ear.heard(event));

async function visitor(): Promise<{ ear: Ear; visitorToken: string }> {
  const { visitorToken } = await visit(server.api, site, { visitor: { name: 'Vera' } });
  return { ear: await connectVisitor(server.url, visitorToken), visitorToken };
}
const send = (ear: Ear, content: string, more: object = {}) =>
  ear.ask('send_message', { clientId: randomUUID(), content, ...more });

test('messages of visitor and agent reach the other side live', async () => {
  const [agent, agentsOtherTab] = [await staff(), await staff()];
  const { ear: vera, visitorToken } = await visitor();
  const otherTab = await connectVisitor(server.url, visitorToken);
  const sent = await send(vera, 'Hello there');
  expect(sent).toMatchObject({ ok: true, message: { seq: 1, sender: 'visitor', content: 'Hello there' } });
  const chatId = sent.chat._id;

  const [opened] = await once(agent, 'new_chat');
  expect(opened.chat).toMatchObject({ _id: chatId, status: 'waiting', unread: 1, lastMessage: 'Hello there' });
  await once(agent, 'chat_updated');
  expect(agent.heard('new_message')).toEqual([
    {
      chatId,
      message: expect.objectContaining({ seq: 1, content: 'Hello there' }),
      notice: { siteId: site._id, siteName: site.name, visitorName: 'Vera' },
    },
  ]);

  const answered = await send(agent, 'Hi Vera', { chatId });
  expect(answered).toMatchObject({ ok: true, message: { seq: 2, sender: 'agent', senderId: owner.user._id } });
  const seqs = (ear: Ear) => ear.heard('new_message').map(({ message }) => message.seq);
  const heard = await once(vera, 'new_message');
  expect(heard[0].message).toMatchObject({ seq: 2, sender: 'agent', content: 'Hi Vera', senderName: owner.user.name });
  await once(otherTab, 'new_message', 2);
  // The tab that sends is answered with the message; the others hear it.
  expect([seqs(vera), seqs(otherTab)]).toEqual([[2], [1, 2]]);
  await once(agentsOtherTab, 'new_message', 2);
  expect([seqs(agent), seqs(agentsOtherTab)]).toEqual([[1], [1, 2]]);
  expect(JSON.stringify(vera.heard('new_message'))).not.toMatch(new RegExp(`${owner.user._id}|${owner.user.email}`));
  expect(vera.heard('chat_claimed')).toEqual([{ chatId, agent: { name: owner.user.name, avatar: null } }]);
  expect(agent.heard('chat_claimed')).toEqual([{ chatId, claimedBy: { _id: owner.user._id, name: owner.user.name } }]);
  expect(agent.heard('chat_status_changed')).toEqual([{ chatId, status: 'active' }]);
});

test('strangers and members of other sites receive no events', async () => {
  const stranger = await signUp(server.api);
  await createSite(server.api, stranger.token);
  const outside = await staff(stranger);
  const { ear: other } = await visitor();
  const agent = await staff();
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'Between us');
  await send(agent, 'Sure', { chatId: chat._id });
  await once(vera, 'new_message');
  expect((await outside.ask('open_chat', { chatId: chat._id })).code).toBe('CHAT_NOT_FOUND');
  for (const ear of [outside, other])
    expect(['new_chat', 'new_message', 'chat_updated', 'receipts'].flatMap((event) => ear.heard(event))).toEqual([]);
});

test('a repeated clientId returns the first message, also after the chat was closed', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  const packet = { clientId: randomUUID(), content: 'Once only' };
  const [first, second] = await Promise.all([vera.ask('send_message', packet), vera.ask('send_message', packet)]);
  expect(second.message._id).toBe(first.message._id);
  const chatId = first.chat._id;
  expect((await agent.ask('close_chat', { chatId })).ok).toBe(true);
  const late = await vera.ask('send_message', packet);
  expect(late).toMatchObject({ ok: true, message: { _id: first.message._id, chatId } });
  expect((await vera.ask('send_message', { ...packet, content: 'Other' })).code).toBe('ID_CONFLICT');

  const next = await send(vera, 'And another thing');
  expect(next.chat._id).not.toBe(chatId);
  expect(next.message.seq).toBe(1);
  expect((await once(vera, 'chat_closed'))[0]).toEqual({ chatId });
});

test('the clientId of another visitor has no effect', async () => {
  const { ear: vera } = await visitor();
  const { ear: otto } = await visitor();
  const clientId = randomUUID();
  const one = await vera.ask('send_message', { clientId, content: 'Mine' });
  const two = await otto.ask('send_message', { clientId, content: 'Mine too' });
  expect(two).toMatchObject({ ok: true, message: { content: 'Mine too' } });
  expect(two.message._id).not.toBe(one.message._id);
});

test('two tabs that send the first message at once share one chat', async () => {
  const { visitorToken } = await visit(server.api, site);
  const [one, two] = (await Promise.all([1, 2].map(() => connectVisitor(server.url, visitorToken)))) as [Ear, Ear];
  const [a, b] = await Promise.all([send(one, 'First'), send(two, 'Second')]);
  expect(a.chat._id).toBe(b.chat._id);
  expect([a.message.seq, b.message.seq].sort()).toEqual([1, 2]);
});

test('after a reconnect, a sync returns exactly the changes a dashboard missed', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'Before');
  await once(agent, 'chat_updated');
  const { cursor } = await agent.ask('sync', { chats: [] });
  agent.socket.disconnect();
  for (const content of ['While', 'you', 'slept']) await send(vera, content);

  const back = await staff();
  const missed = await back.ask('sync', { cursor, chats: [{ chatId: chat._id, afterSeq: 1 }] });
  expect(missed.reset).toBe(false);
  expect(missed.chats[0].messages.map(({ content }: { content: string }) => content)).toEqual([
    'While',
    'you',
    'slept',
  ]);
  expect(missed.chats[0].more).toBe(false);
  await until(async () => {
    const { changed } = await back.ask('sync', { cursor, chats: [] });
    return changed.find((row: { _id: string; lastMessage: string }) => row._id === chat._id)?.lastMessage === 'slept';
  });
});

test('a row that was written late is still returned by a sync with an earlier cursor', async () => {
  const agent = await staff();
  const { ear: vera } = await visitor();
  await send(vera, 'Before');
  await once(agent, 'chat_updated');
  const { cursor } = await agent.ask('sync', { chats: [] });
  // The step is made now, and written ten seconds later: by its clock, it was made ten seconds ago.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 10_000 });
  await send(vera, 'Delayed').finally(() => once(agent, 'chat_updated', 2));
  vi.useRealTimers();
  const { changed } = await agent.ask('sync', { cursor, chats: [] });
  expect(changed.map(({ lastMessage }: { lastMessage: string }) => lastMessage)).toContain('Delayed');
});

test('after a reconnect, a widget gets the rest of its chat and the next one', async () => {
  const agent = await staff();
  const { ear: vera, visitorToken } = await visitor();
  const { chat } = await send(vera, 'One');
  vera.socket.disconnect();
  await send(agent, 'Two', { chatId: chat._id });
  await agent.ask('close_chat', { chatId: chat._id });
  await say(server.api, site, { visitorToken } as never, 'Three, in a new chat');

  const back = await connectVisitor(server.url, visitorToken);
  const missed = await back.ask('sync', { chatId: chat._id.toUpperCase(), afterSeq: 1 });
  expect(missed.more).toBe(false);
  expect(missed.messages.map(({ seq, content }: { seq: number; content: string }) => [seq, content])).toEqual([
    [2, 'Two'],
    [3, 'Chat closed'],
    [1, 'Three, in a new chat'],
  ]);
  expect(missed.chat._id).toBe(missed.messages[2].chatId);
  const fresh = await back.ask('sync', {});
  expect(fresh.messages.map(({ content }: { content: string }) => content)).toEqual(['Three, in a new chat']);
});

test('a sync after a long absence is paged without gaps', async () => {
  const { ear: vera } = await visitor();
  const { chat } = await send(vera, 'm1');
  for (let i = 2; i <= 120; i++) await send(vera, `m${i}`);
  const seqs: number[] = [];
  for (let more = true; more; ) {
    const page = await vera.ask('sync', { chatId: chat._id, afterSeq: seqs.at(-1) ?? 0 });
    seqs.push(...page.messages.map(({ seq }: { seq: number }) => seq));
    more = page.more;
  }
  expect(seqs).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
});

test.each([
  ['no payload', 'send_message', undefined],
  ['a list', 'send_message', [1, 2]],
  ['a number', 'open_chat', 5],
  ['a query operator as id', 'open_chat', { chatId: { $ne: null } }],
  ['a bad id', 'claim_chat', { chatId: 'zzz' }],
  ['a blank text', 'send_message', { chatId: 'a'.repeat(24), clientId: randomUUID(), content: '  ' }],
  ['a fraction as seq', 'read', { chatId: 'a'.repeat(24), seq: 1.5 }],
  ['a sync without a list', 'sync', { chats: 'all' }],
  ['a sync with invalid ids', 'sync', { chats: [{ chatId: 'x', afterSeq: 0 }] }],
])('%s is refused with a message', async (_what, event, payload) => {
  const ear = await staff();
  expect(await ear.ask(event, payload)).toMatchObject({ ok: false, code: 'VALIDATION_FAILED', retryable: false });
});

test('malformed packets are ignored and affect nobody else', async () => {
  const ear = await staff();
  const { ear: vera } = await visitor();
  for (const { socket } of [ear, vera]) {
    socket.emit('send_message');
    socket.emit('send_message', { content: 'no ack' });
    socket.emit('no_such_event', { a: 1 });
    socket.emit('__proto__', { a: 1 });
    socket.emit('sync', 'x', 'y', 'z');
  }
  expect((await ear.ask('sync', { chats: [] })).ok).toBe(true);
  expect((await send(vera, 'Still here')).ok).toBe(true);
});

test.each([undefined, null, 7, 'nonsense', { $ne: 1 }])('the token %j is refused in both namespaces', async (token) => {
  await expect(connectStaff(server.url, token)).rejects.toThrow('UNAUTHORIZED');
  await expect(connectVisitor(server.url, token)).rejects.toThrow('UNAUTHORIZED');
});
