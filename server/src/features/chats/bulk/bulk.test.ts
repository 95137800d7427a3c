import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, say, signUp, until, visit } from '#test/factories';
import { sharedServer, type TestServer } from '#test/harness';
import { connectStaff, connectVisitor, hangUp } from '#test/sockets';
import type { BulkBody, BulkResult, Chat, Site, StaffMessage } from '../../../../contract.ts';
import { can } from '../../team/contract.ts';
import { ChatModel } from '../model.ts';
import { BULK_MAX } from './contract.ts';

const UNKNOWN = 'a'.repeat(24);
let server: TestServer;
let owner: Account;
let ben: Account;
let site: Site;
let other: Site;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.api, 'Olga Owner');
  ben = await signUp(server.api, 'Ben Okafor');
  site = await createSite(server.api, owner.token);
  other = await createSite(server.api, owner.token, 'Second Shop');
  await join(site, ben, 'agent');
});
afterEach(hangUp);
afterAll(() => server.stop());

const chatsOf = (count: number, of = site): Promise<Chat[]> =>
  Promise.all(Array.from({ length: count }, () => newChat(server.api, of, owner.token)));
const send = (body: object, who?: Account) => server.api('POST /chats/bulk', { token: who?.token, body });
const rowOf = async (id: string): Promise<Chat> =>
  (await server.api(`GET /chats/${id}`, { token: owner.token })).body.data.chat;

async function change(body: BulkBody, who = owner): Promise<BulkResult[]> {
  const answer = await send(body, who);
  expect(answer.status).toBe(200);
  return answer.body.data.results;
}

/** What happened to each chat: its outcome, or why it was refused. */
const said = (results: BulkResult[]) =>
  results.map((result) => (result.outcome === 'refused' ? result.code : result.outcome));

test('chats are closed and reopened as by single calls: message, events and who did it; repeated, nothing changes', async () => {
  const vera = await visit(server.api, site, { visitor: { name: 'Vera' } });
  const widget = await connectVisitor(server.url, vera.visitorToken);
  const first = await say(server.api, site, vera, 'Hello');
  const [second] = await chatsOf(1, other);
  const chatIds = [first, second?._id ?? ''];
  const ear = await connectStaff(server.url, owner.token);
  const results = await change({ action: 'close', chatIds });
  expect(results).toMatchObject(
    chatIds.map((chatId) => ({ chatId, outcome: 'done', chat: { _id: chatId, status: 'closed' } })),
  );
  const by = { _id: owner.user._id, name: 'Olga Owner' };
  await until(async () => ear.heard('chat_closed').length === 2);
  expect(ear.heard('chat_closed').map(({ closedBy }) => closedBy)).toEqual([by, by]);
  await until(async () => widget.heard('new_message').some(({ message }) => message.event === 'closed'));
  expect(said(await change({ action: 'close', chatIds }))).toEqual(['unchanged', 'unchanged']);
  const lines = async () =>
    (await server.api(`GET /chats/${first}/messages`, { token: owner.token })).body.data.messages.map(
      ({ content }: StaffMessage) => content,
    );
  expect(await lines()).toEqual(['Hello', 'Chat closed']);

  expect(said(await change({ action: 'reopen', chatIds }))).toEqual(['done', 'done']);
  expect(said(await change({ action: 'reopen', chatIds }))).toEqual(['unchanged', 'unchanged']);
  await until(async () => ear.heard('chat_reopened').length === 2);
  expect(await lines()).toEqual(['Hello', 'Chat closed', 'Chat reopened']);
  expect(await rowOf(first)).toMatchObject({ status: 'active', claimedBy: by });
});

test('one that fails does not stop the others, and each says why', async () => {
  const [open, full, closed] = await chatsOf(3);
  const ids = [open, full, closed].map((chat) => chat?._id ?? '');
  await ChatModel.updateOne({ _id: full?._id ?? '' }, { tags: Array.from({ length: 20 }, (_, at) => `t${at}`) });
  await server.api(`POST /chats/${ids[2]}/close`, { token: owner.token });
  const chatIds = [UNKNOWN, ...ids];
  const tagged = await change({ action: 'tag', tag: '  VIP  ', chatIds });
  expect(said(tagged)).toEqual(['CHAT_NOT_FOUND', 'done', 'TOO_MANY_TAGS', 'done']);
  expect(tagged[0]).toEqual({
    chatId: UNKNOWN,
    outcome: 'refused',
    code: 'CHAT_NOT_FOUND',
    message: 'This chat does not exist.',
  });
  expect((await rowOf(ids[0] ?? '')).tags).toEqual(['vip']);
  expect(said(await change({ action: 'tag', tag: 'vip', chatIds: ids }))).toEqual([
    'unchanged',
    'TOO_MANY_TAGS',
    'unchanged',
  ]);
  expect(said(await change({ action: 'untag', tag: 'VIP', chatIds: ids }))).toEqual(['done', 'unchanged', 'done']);
  expect((await rowOf(ids[2] ?? '')).tags).toEqual([]);
  expect(said(await change({ action: 'reopen', chatIds: ids }))).toEqual([
    'CHAT_NOT_CLOSED',
    'CHAT_NOT_CLOSED',
    'done',
  ]);
});

test('tags that are added at the same time are all kept, and never more than allowed', async () => {
  const [chat] = await chatsOf(1);
  const chatIds = [chat?._id ?? ''];
  const tags = Array.from({ length: 24 }, (_, at) => `tag ${at}`);
  const all = await Promise.all(tags.map((tag) => change({ action: 'tag', tag, chatIds })));
  expect(all.flatMap(said).filter((outcome) => outcome === 'done')).toHaveLength(20);
  expect((await rowOf(chatIds[0] ?? '')).tags).toHaveLength(20);
});

test('chats are assigned to a member of their own site only, with note and event, and given back to the queue', async () => {
  const [one, two] = await chatsOf(2);
  const [foreign] = await chatsOf(1, other);
  const chatIds = [one, two, foreign].map((chat) => chat?._id ?? '');
  const ear = await connectStaff(server.url, ben.token);
  const give = (userId: string | null) => change({ action: 'transfer', userId, chatIds });
  expect(said(await give(ben.user._id))).toEqual(['done', 'done', 'MEMBER_NOT_FOUND']);
  await until(async () => ear.heard('chat_transferred').length === 2);
  expect(ear.heard('note_added')).toHaveLength(2);
  expect(await rowOf(chatIds[0] ?? '')).toMatchObject({ claimedBy: { _id: ben.user._id }, handedBy: 'Olga Owner' });
  expect(said(await give(ben.user._id))).toEqual(['unchanged', 'unchanged', 'MEMBER_NOT_FOUND']);
  expect(said(await give(null))).toEqual(['done', 'done', 'unchanged']);
  await change({ action: 'close', chatIds });
  expect(said(await give(owner.user._id))).toEqual(['CHAT_CLOSED', 'CHAT_CLOSED', 'CHAT_CLOSED']);
});

test('two agents who close the same chats at once close each of them once', async () => {
  const chatIds = (await chatsOf(4)).map(({ _id }) => _id);
  const both = await Promise.all([owner, ben].map((who) => change({ action: 'close', chatIds }, who)));
  for (const at of chatIds.keys())
    expect(said(both.map((results) => results[at] as BulkResult)).sort()).toEqual(['done', 'unchanged']);
});

test('each chat is authorized by itself, as every role', async () => {
  const roles = ['admin', 'agent', 'viewer'] as const;
  const bodies = [{ action: 'tag', tag: 'x' }, { action: 'transfer', userId: null }, { action: 'close' }];
  const people = [
    { who: owner, allowed: true },
    { who: await signUp(server.api), code: 'CHAT_NOT_FOUND' },
    ...(await Promise.all(
      roles.map(async (role) => {
        const who = await signUp(server.api);
        await join(site, who, role);
        return { who, allowed: can({ role, isOwner: false }, 'chats.reply'), code: 'FORBIDDEN' };
      }),
    )),
  ];
  for (const { who, allowed, code } of people) {
    const chatIds = (await chatsOf(1)).map(({ _id }) => _id);
    const before = await rowOf(chatIds[0] ?? '');
    for (const body of bodies) {
      const results = await change({ ...body, chatIds } as BulkBody, who);
      if (allowed) expect(results[0]?.outcome).not.toBe('refused');
      else expect(said(results)).toEqual([code]);
    }
    if (!allowed) expect((await rowOf(chatIds[0] ?? '')).rev).toBe(before.rev);
  }
  const { visitorToken } = await visit(server.api, site);
  const body = { action: 'close', chatIds: [UNKNOWN] };
  expect((await send(body)).status).toBe(401);
  expect((await server.api('POST /chats/bulk', { token: visitorToken, body })).status).toBe(401);
});

test('a hundred unknown chats are each refused, in the order of the ids', async () => {
  const chatIds = Array.from({ length: BULK_MAX }, (_, at) => at.toString(16).padStart(24, 'b'));
  const results = await change({ action: 'close', chatIds });
  expect(new Set(said(results))).toEqual(new Set(['CHAT_NOT_FOUND']));
  expect(results.map(({ chatId }) => chatId)).toEqual(chatIds);
});

test.each<[string, object]>([
  ['nothing', {}],
  ['no ids', { action: 'close' }],
  ['an empty list', { action: 'close', chatIds: [] }],
  ['no list', { action: 'close', chatIds: UNKNOWN }],
  ['an operator as id', { action: 'close', chatIds: [{ $ne: null }] }],
  ['what is no id', { action: 'close', chatIds: ['zzz'] }],
  ['too many ids', { action: 'close', chatIds: Array.from({ length: BULK_MAX + 1 }, () => UNKNOWN) }],
  ['no action', { chatIds: [UNKNOWN] }],
  ['an unknown action', { action: 'delete', chatIds: [UNKNOWN] }],
  ['a list of actions', { action: ['close'], chatIds: [UNKNOWN] }],
  ['no tag', { action: 'tag', chatIds: [UNKNOWN] }],
  ['a blank tag', { action: 'tag', tag: ' ', chatIds: [UNKNOWN] }],
  ['a long tag', { action: 'untag', tag: 'x'.repeat(31), chatIds: [UNKNOWN] }],
  ['an operator as tag', { action: 'tag', tag: { $ne: 1 }, chatIds: [UNKNOWN] }],
  ['no colleague', { action: 'transfer', chatIds: [UNKNOWN] }],
  ['a colleague without id', { action: 'transfer', userId: 'zzz', chatIds: [UNKNOWN] }],
])('%s is refused', async (_what, body) => {
  expect((await send(body, owner)).status).toBe(422);
});

test('an id that is named twice counts and is answered once', async () => {
  const [chat] = await chatsOf(1);
  const id = chat?._id ?? '';
  expect(await change({ action: 'tag', tag: 'twice', chatIds: [id, id.toUpperCase()] })).toHaveLength(1);
});
