import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createSite, join, newChat, signUp, until } from '#test/factories';
import { startServer, type TestServer } from '#test/harness';
import { type Mailbox, mailingInto, startMailbox } from '#test/mailbox';
import { type PushService, startPushService, type TestDevice } from '#test/pushes';
import { reconcileNow } from '#test/rounds';
import type { Chat, Site } from '../../../contract.ts';
import { inEnglish } from '../../platform/http/sentence.ts';
import type { Notice, Recipient } from '../../platform/push/send.ts';
import { enqueueUnawaited } from '../../platform/work/keyedQueue.ts';
import { createSessions } from '../auth/sessions.ts';
import { type ChatDoc, ChatModel } from '../chats/model.ts';
import { wakeDue } from '../chats/snooze/snooze.ts';
import { createPresence } from '../presence/presence.ts';
import { createResumeLinks } from '../visitors/session/session.ts';
import { createActionTokens } from './actionTokens.ts';
import { handOvers } from './handOvers.ts';
import { NoticeModel, type NotifyDeps } from './model.ts';
import { WAITING_MAX_MS } from './schedule.ts';

let dataDir: string;
let box: Mailbox;
let service: PushService;
let server: TestServer;
let olga: Account;
let ben: Account;
let bell: TestDevice;
let site: Site;

const start = () => startServer({ ...mailingInto(box), dataDir }, { pushAgent: service.agent });

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'parley-hand-over-'));
  [box, service] = [await startMailbox(), await startPushService()];
  server = await start();
  [olga, ben] = [await signUp(server.api, 'Olga'), await signUp(server.api, 'Ben')];
  site = await createSite(server.api, olga.token);
  await join(site, ben, 'agent');
  bell = service.newDevice();
  await server.api('POST /push/subscriptions', { token: ben.token, body: bell.device });
});
afterAll(async () => {
  await server.stop();
  await Promise.all([box.stop(), service.stop()]);
  await rm(dataDir, { recursive: true, force: true });
});

/** A chat that Olga has claimed, and of which nobody is to be notified. */
async function claimed(): Promise<Chat> {
  const chat = await newChat(server.api, site, olga.token);
  await until(async () => NoticeModel.findById(`${chat._id}:team`).lean());
  await server.api(`POST /chats/${chat._id}/claim`, { token: olga.token });
  await until(async () => (await NoticeModel.findById(`${chat._id}:team`).lean()) === null);
  await NoticeModel.deleteMany({ chat: chat._id });
  return chat;
}

/** Holds back whatever follows the writes of these chats, as if the process had died after them. @returns ends that */
function holdBack(...chats: Chat[]): () => void {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  for (const { _id } of chats) enqueueUnawaited(_id, () => held);
  return letGo;
}

/** What sends notices, with another way to reach devices. */
const notifying = (ring: (to: Recipient, notice: Notice) => Promise<void>): NotifyDeps => ({
  mail: {
    enabled: true,
    send: async () => {},
    sendNow: async () => {},
    start: () => {},
    messageId: () => '',
    forget: async () => {},
    stop: async () => {},
  },
  push: {
    key: '',
    stop: async () => {},
    send: async (to, notice) => {
      await ring(to, notice);
      return [];
    },
  },
  presence: createPresence({ graceMs: 0 }),
  sessions: createSessions({ secret: 'x'.repeat(32), now: Date.now }),
  links: createResumeLinks({ secret: 'x'.repeat(32), now: Date.now }),
  mailIn: null,
  actionTokens: createActionTokens({ secret: 'x'.repeat(32), now: Date.now }),
  now: Date.now,
});

const give = ({ _id }: Chat, to: Account | null, by = olga) =>
  server.api(`POST /chats/${_id}/transfer`, { token: by.token, body: { userId: to?.user._id ?? null } });
const isSettled = async ({ _id }: Chat) => (await ChatModel.findById(_id).lean<ChatDoc>())?.unnotified === undefined;

test('when a process dies right after the write, the reconciler tells the team of a chat handed back, and a colleague of one handed over', async () => {
  const [back, given] = [await claimed(), await claimed()];
  const letGo = holdBack(back, given);
  await give(back, null);
  await give(given, ben);
  expect(await NoticeModel.countDocuments({ chat: { $in: [back._id, given._id] } })).toBe(0);

  const rings: string[] = [];
  await reconcileNow(
    handOvers(notifying(async (_to, { body, chatId }) => void rings.push(`${inEnglish(body)} ${chatId}`))),
  );
  const mail = await NoticeModel.findById(`${back._id}:team`).lean();
  expect(mail?.dueAt?.getTime()).toBeLessThanOrEqual(Date.now() + WAITING_MAX_MS);
  expect(await NoticeModel.findById(`${back._id}:bell`).lean()).not.toBeNull();
  expect(rings).toEqual([`Olga handed you this chat. ${given._id}`]);
  expect([await isSettled(back), await isSettled(given)]).toEqual([true, true]);
  letGo();
});

test('a chat handed over is marked no longer once people are notified', async () => {
  const chat = await claimed();
  await give(chat, ben);
  await until(() => isSettled(chat));
  await give(chat, null, ben);
  await until(async () => NoticeModel.findById(`${chat._id}:team`).lean());
  await until(() => isSettled(chat));
});

test('when a process dies right after it woke chats, the reconciler tells their claimer, or the team as of one that waits', async () => {
  const [bens, free] = [await claimed(), await claimed()];
  const snoozedUntil = new Date(Date.now() - 1);
  await ChatModel.updateOne({ _id: bens._id }, { claimedBy: ben.user._id, snoozedUntil });
  await ChatModel.updateOne({ _id: free._id }, { claimedBy: null, status: 'waiting', snoozedUntil });
  const letGo = holdBack(bens, free);
  expect(await wakeDue(Date.now(), new AbortController().signal)).toBe(2);
  expect([await isSettled(bens), await isSettled(free)]).toEqual([false, false]);

  const rings: string[] = [];
  await reconcileNow(
    handOvers(notifying(async (_to, { body, chatId }) => void rings.push(`${inEnglish(body)} ${chatId}`))),
  );
  expect(rings).toEqual([`This chat is back: its snooze is over. ${bens._id}`]);
  for (const kind of ['team', 'bell']) expect(await NoticeModel.findById(`${free._id}:${kind}`).lean()).not.toBeNull();
  expect([await isSettled(bens), await isSettled(free)]).toEqual([true, true]);
  letGo();
});

test('nobody is notified of what was handed over long ago, or is taken up since', async () => {
  const [old, taken] = [await claimed(), await claimed()];
  const daysAgo = Types.ObjectId.createFromTime(Math.floor(Date.now() / 1000) - 2 * 86_400);
  await ChatModel.updateOne({ _id: old._id }, { claimedBy: null, status: 'waiting', unnotified: daysAgo });
  await ChatModel.updateOne({ _id: taken._id }, { unnotified: new Types.ObjectId() });
  const rings: string[] = [];
  await reconcileNow(handOvers(notifying(async (_to, { body }) => void rings.push(inEnglish(body)))));
  expect([await isSettled(old), await isSettled(taken)]).toEqual([true, true]);
  expect(await NoticeModel.countDocuments({ chat: { $in: [old._id, taken._id] } })).toBe(0);
  expect(rings).toEqual([]);
});

test('at start, a colleague is told of a chat handed over before a crash', async () => {
  const chat = await claimed();
  const unnotified = new Types.ObjectId();
  await ChatModel.updateOne({ _id: chat._id }, { claimedBy: ben.user._id, handedBy: 'Olga', unnotified });
  await server.stop();
  server = await start();
  const rung = () =>
    bell.received.some(({ payload: { chatId, body } }) => chatId === chat._id && body.startsWith('Olga'));
  await until(async () => rung() && (await isSettled(chat)));
});
