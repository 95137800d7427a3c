import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, join, newChat, say, signUp, until, visit } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { needPlans } from '#test/mongodb';
import { connectStaff, connectVisitor, type Ear, hangUp } from '#test/sockets';
import type { Chat, Site } from '../../../contract.ts';
import { ChatModel } from '../chats/model.ts';
import { SiteModel } from '../sites/model.ts';
import { ABSENT_MAX_MS } from './absentAgents.ts';
import { OPEN_WITHIN_MS } from './waiting.ts';

let server: TestServer;
let owner: Account;
let ana: Account;
let ben: Account;
let site: Site;
/** Another site, where somebody always takes what comes. */
let busy: Site;
let dee: Account;

beforeAll(async () => {
  server = await startServer({ sitesPerAccount: 100 });
  owner = await signUp(server.api, 'Olga Owner');
  dee = await signUp(server.api, 'Dee Busy');
  busy = await makeSite();
  await join(busy, dee, 'agent');
});
beforeEach(async () => {
  site = await makeSite();
  ana = await member('Ana Ruiz');
  ben = await member('Ben Okafor');
});
afterEach(hangUp);
afterAll(() => server.stop());

async function makeSite(): Promise<Site> {
  const body = { name: 'Corner Shop', domain: 'shop.example.com' };
  return (await server.api('POST /sites', { token: owner.token, body })).body.data.site;
}

/** Waits until all that was waiting so far was looked at: chats are handed out one after the other. */
async function lookedAt(): Promise<void> {
  const ear = await connectStaff(server.url, dee.token);
  const chat = await newChat(server.api, busy, owner.token);
  await until(() => claimerOf(chat));
  await ear.ask('close_chat', { chatId: chat._id });
}

async function member(name: string, role: 'agent' | 'viewer' = 'agent'): Promise<Account> {
  const account = await signUp(server.api, name);
  await join(site, account, role);
  return account;
}

const there = (who: Account) => connectStaff(server.url, who.token);
const edit = (settings: object) => server.api(`PATCH /sites/${site._id}`, { token: owner.token, body: { settings } });
const row = async ({ _id }: Pick<Chat, '_id'>): Promise<Chat> =>
  (await server.api(`GET /chats/${_id}`, { token: owner.token })).body.data.chat;
const claimerOf = async (chat: Pick<Chat, '_id'>) => (await row(chat)).claimedBy?._id ?? null;
const untilWith = (chat: Pick<Chat, '_id'>, who: Account | null) =>
  until(async () => (await claimerOf(chat)) === (who?.user._id ?? null));
const write = (content = 'Hello') => newChat(server.api, site, owner.token, content);

/** A visitor who writes; gives the chat without looking whether it was handed out. */
async function ask(): Promise<Pick<Chat, '_id'> & { again: () => Promise<string> }> {
  const session = await visit(server.api, site, { visitor: { name: 'Vera' } });
  return {
    _id: await say(server.api, site, session, 'Hello'),
    again: () => say(server.api, site, session, 'Anybody?'),
  };
}

/** Waits until all that follows a message has heard of it. */
async function taken(chat: Pick<Chat, '_id'>, seq: number): Promise<void> {
  await until(async () => (await row(chat)).lastSeq === seq);
  await lookedAt();
}

describe('a new chat', () => {
  test('is assigned to an online member, and everybody is notified', async () => {
    const ear = await there(ana);
    const { visitorToken } = await visit(server.api, site);
    const vera = await connectVisitor(server.url, visitorToken);
    const { chat } = await vera.ask('send_message', { clientId: randomUUID(), content: 'Hello' });
    await untilWith(chat, ana);
    expect(await row(chat)).toMatchObject({ status: 'active', assignedAt: expect.any(String) });
    await until(async () => vera.heard('chat_claimed').length > 0);
    expect(vera.heard('chat_claimed')[0].agent.name).toBe('Ana Ruiz');
    await until(async () => ear.heard('chat_claimed').length > 0);
    expect(ear.heard('new_chat')[0].chat.status).toBe('waiting');
    expect(ear.heard('chat_claimed')).toEqual([
      { chatId: chat._id, claimedBy: { _id: ana.user._id, name: 'Ana Ruiz' } },
    ]);
  });

  test('is assigned to the member with the fewest chats, in turn when equal, and never to a viewer', async () => {
    const viewer = await member('Vic Viewer', 'viewer');
    await Promise.all([there(ana), there(ben), there(viewer)]);
    const first = await ask();
    await until(() => claimerOf(first));
    const rest = [];
    for (let i = 0; i < 5; i++) {
      const chat = await ask();
      await until(() => claimerOf(chat));
      rest.push(chat);
    }
    const claimers = await Promise.all([first, ...rest].map(claimerOf));
    for (const who of [ana, ben]) expect(claimers.filter((id) => id === who.user._id)).toHaveLength(3);
  });

  test('waits while auto-assignment is off or the site is in offline mode', async () => {
    await there(ana);
    await edit({ autoAssign: false });
    const one = await write();
    await edit({ autoAssign: true, offlineMode: true });
    const two = await write();
    await lookedAt();
    expect([await claimerOf(one), await claimerOf(two)]).toEqual([null, null]);
    await edit({ offlineMode: false });
    await untilWith(one, ana);
    await untilWith(two, ana);
  });

  test('is assigned once, also when it is claimed by hand at the same time', async () => {
    await there(ana);
    const byHand = await there(ben);
    await byHand.ask('set_availability', { online: false });
    const chats = await Promise.all(Array.from({ length: 6 }, ask));
    const claims = await Promise.all(chats.map(({ _id }) => byHand.ask('claim_chat', { chatId: _id })));
    for (const [i, chat] of chats.entries()) {
      const claimer = await until(() => claimerOf(chat));
      expect(claims[i].ok).toBe(claimer === ben.user._id && (await row(chat)).assignedAt === null);
    }
  });
});

describe('the queue', () => {
  test('is assigned oldest first when somebody comes online, up to a limit of unopened chats', async () => {
    const chats = [];
    for (let i = 0; i < 7; i++) chats.push(await write());
    const ear = await there(ana);
    const heard = await until(async () => ear.heard('chat_claimed').length >= 5 && ear.heard('chat_claimed'));
    expect(heard.map(({ chatId }) => chatId)).toEqual(chats.slice(0, 5).map(({ _id }) => _id));
    await lookedAt();
    expect(await claimerOf(chats[5] as Chat)).toBeNull();
    await ear.ask('open_chat', { chatId: chats[0]?._id });
    await untilWith(chats[5] as Chat, ana);
    await lookedAt();
    expect(await claimerOf(chats[6] as Chat)).toBeNull();
  });

  test('waits for a connected but unavailable member until they are available', async () => {
    const ear = await there(ana);
    await ear.ask('set_availability', { online: false });
    const chat = await write();
    await lookedAt();
    expect(await claimerOf(chat)).toBeNull();
    await ear.ask('set_availability', { online: true });
    await untilWith(chat, ana);
  });

  test('is assigned without regard to the limit where the member has the chats open already', async () => {
    const ear = await there(ana);
    await ear.ask('set_availability', { online: false });
    const chats = [];
    for (let i = 0; i < 8; i++) chats.push(await write());
    for (const { _id } of chats.slice(0, 2)) await ear.ask('open_chat', { chatId: _id });
    await ear.ask('set_availability', { online: true });
    await untilWith(chats[6] as Chat, ana);
    await lookedAt();
    expect(await claimerOf(chats[7] as Chat)).toBeNull();
  });

  test('is found by index, as are overdue assignments', async ({ skip }) => {
    await needPlans(skip);
    const filters: Record<string, unknown>[] = [
      { site: site._id, bot: false, status: 'waiting', blocked: false, lastSeq: { $gt: 0 } },
      { assignedUntil: { $gt: new Date(0), $lte: new Date() } },
      { claimedBy: { $gt: '0'.repeat(24) }, open: true },
    ];
    const orders = [{ createdAt: 1, _id: 1 }, { assignedUntil: 1 }, { claimedBy: 1 }] as const;
    for (const [i, filter] of filters.entries()) {
      const plan = await ChatModel.find(filter)
        .sort(orders[i] as Record<string, 1>)
        .explain('queryPlanner');
      expect(JSON.stringify(plan)).not.toMatch(/COLLSCAN|"SORT"/);
    }
  });
});

describe('an assigned chat', () => {
  test('that nobody opens is reassigned, then waits, and goes to the next newcomer', async () => {
    await there(ana);
    const chat = await write();
    await untilWith(chat, ana);
    await there(ben);
    server.advance(OPEN_WITHIN_MS);
    await untilWith(chat, ben);
    server.advance(OPEN_WITHIN_MS);
    await untilWith(chat, null);
    expect(await row(chat)).toMatchObject({ status: 'waiting', assignedAt: null });
    const cleo = await member('Cleo Diaz');
    await there(cleo);
    await untilWith(chat, cleo);
  });

  const reactions: [string, (ear: Ear, chatId: string) => Promise<{ ok: boolean }>, boolean][] = [
    ['opened', (ear, chatId) => ear.ask('open_chat', { chatId }), true],
    ['claimed by hand', (ear, chatId) => ear.ask('claim_chat', { chatId }), false],
    ['answered', (ear, chatId) => ear.ask('send_message', { chatId, clientId: randomUUID(), content: 'Hi' }), false],
  ];
  test.each(reactions)('that was %s stays with its assignee', async (_how, react, isStillAssigned) => {
    const ear = await there(ana);
    const [chat, other] = [await write(), await write()];
    await Promise.all([untilWith(chat, ana), untilWith(other, ana)]);
    expect((await react(ear, chat._id)).ok).toBe(true);
    await until(async () => ((await row(chat)).assignedAt !== null) === isStillAssigned);
    await there(ben);
    server.advance(OPEN_WITHIN_MS);
    await untilWith(other, ben);
    expect(await claimerOf(chat)).toBe(ana.user._id);
  });

  test('that is handed back goes to another member, and not to the same one', async () => {
    await there(ana);
    const chat = await write();
    await untilWith(chat, ana);
    const back = { token: ana.token, body: { userId: null } };
    expect((await server.api(`POST /chats/${chat._id}/transfer`, back)).body.data.chat.status).toBe('waiting');
    await lookedAt();
    expect(await claimerOf(chat)).toBeNull();
    await there(ben);
    await untilWith(chat, ben);
  });
});

describe('the chat of an absent claimer', () => {
  test('returns to the queue after two minutes if the visitor is waiting', async () => {
    await edit({ autoAssign: false });
    const [waits, answered] = [await ask(), await ask()];
    const reply = (call: string, body?: object) => server.api(call, { token: ana.token, body });
    for (const { _id } of [waits, answered]) await reply(`POST /chats/${_id}/messages`, { content: 'One moment' });
    await waits.again();
    await taken(waits, 3);
    server.advance(ABSENT_MAX_MS);
    await untilWith(waits, null);
    expect(await claimerOf(answered)).toBe(ana.user._id);
    expect(await row(waits)).toMatchObject({ status: 'waiting' });
  });

  test('returns when the visitor writes again and the claimer has left the team, if a crash prevented it before', async () => {
    await edit({ autoAssign: false });
    await there(ana);
    const chat = await ask();
    await server.api(`POST /chats/${chat._id}/claim`, { token: ana.token });
    await SiteModel.updateOne({ _id: site._id }, { $pull: { team: { user: ana.user._id } } });
    await chat.again();
    await untilWith(chat, null);
  });

  test('stays with the claimer while they are connected, available or not', async () => {
    await edit({ autoAssign: false });
    const ear = await there(ana);
    const [hers, nobodys] = [await ask(), await ask()];
    await ear.ask('claim_chat', { chatId: hers._id });
    await server.api(`POST /chats/${nobodys._id}/claim`, { token: ben.token });
    await ear.ask('set_availability', { online: false });
    await Promise.all([hers.again(), nobodys.again()]);
    await Promise.all([hers, nobodys].map((chat) => taken(chat, 2)));
    server.advance(ABSENT_MAX_MS);
    await untilWith(nobodys, null);
    expect(await claimerOf(hers)).toBe(ana.user._id);
  });
});
