import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '../auth/model.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel } from '../chats/model.ts';
import { events } from '../events.ts';
import { PushModel } from '../push/devices.ts';
import type { Notice } from '../push/send.ts';
import { memberOf } from '../sites/guards.ts';
import type { SiteDoc } from '../sites/model.ts';
import { isOpen } from '../sites/officeHours.ts';
import { can } from '../team/contract.ts';
import { MINUTE_MS } from '../time.ts';
import type { NoticeContext, NotifyDeps, Outcome } from './model.ts';
import { isUnattended, scheduleBell } from './schedule.ts';

/** Work that is done at once, and then at most once in a while: what comes meanwhile waits, and only the last of it is done. */
export interface Throttle {
  /** @param key work under different keys does not wait for each other */
  run(key: string, work: () => void): void;
  /** Drops what waits. */
  stop(): void;
}

/** @param everyMs how long is waited after work was done */
export function createThrottle(everyMs: number): Throttle {
  const waits = new Map<string, { timer: NodeJS.Timeout; next: (() => void) | null }>();

  function start(key: string, work: () => void): void {
    const timer = setTimeout(() => {
      const next = waits.get(key)?.next;
      waits.delete(key);
      if (next) start(key, next);
    }, everyMs);
    timer.unref();
    waits.set(key, { timer, next: null });
    work();
  }

  return {
    run(key, work) {
      const wait = waits.get(key);
      if (wait) wait.next = work;
      else start(key, work);
    },
    stop() {
      for (const { timer } of waits.values()) clearTimeout(timer);
      waits.clear();
    },
  };
}

/** However fast a visitor writes, a chat rings no oftener. */
const RING_EVERY_MS = 10_000;
/** While nobody reacts, devices ring again after so many minutes, and then after so many more. */
const RING_AGAIN_AFTER = [1, 1, 2, 4, 8, 16];
/** In characters: a lock screen shows no more. */
const PREVIEW_LENGTH = 120;
const TITLE_LENGTH = 100;

/** What devices are rung with. */
type BellDeps = Pick<NotifyDeps, 'push' | 'presence' | 'sessions' | 'now'>;

/** A visitor who writes, or waits again, rings the devices of those who would miss it. @returns a disposer */
export function ringDevices(deps: BellDeps): () => void {
  const throttle = createThrottle(RING_EVERY_MS);
  const stopListening = events.stopAll([
    events.on('messageAdded', ({ chat, site, message }) => {
      if (message.sender !== 'visitor' || chat.bot) return;
      throttle.run(chat._id.toHexString(), () => {
        ringFirst(deps, site, message).catch((error) => events.fail(error, 'push'));
      });
    }),
    events.on('chatTransferred', async ({ chat, site, by, to }) => {
      if (chat.bot || !to || to._id === by._id || !(await hasDevices(site))) return;
      const message = await newestOf(chat);
      if (message) await ring(deps, chat, site, message, `${by.name} handed you this chat.`);
    }),
    events.on('chatHandedBack', async ({ chat, site }) => {
      if (!chat.bot && (await hasDevices(site))) await scheduleBell(chat, deps.now());
    }),
  ]);
  return () => {
    stopListening();
    throttle.stop();
  };
}

/** Rings for a message, if nobody has read it yet, and has the bell ring again while nobody reacts. */
async function ringFirst(deps: BellDeps, site: SiteDoc, message: MessageDoc): Promise<void> {
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  if (!chat || chat.status === 'closed' || chat.receipts.staff.read >= message.seq) return;
  if (!(await hasDevices(site))) return;
  const [again = 1] = RING_AGAIN_AFTER;
  if (isUnattended(chat)) await scheduleBell(chat, deps.now() + again * MINUTE_MS);
  await ring(deps, chat, site, message);
}

/** Rings once more for a chat to which nobody has reacted, as long as somebody may hear it. */
export async function ringAgain({ notice, chat, site }: NoticeContext, deps: BellDeps): Promise<Outcome> {
  const { rings = 0 } = notice;
  const next = RING_AGAIN_AFTER[rings + 1];
  const message = await newestOf(chat);
  if (!isUnattended(chat) || !message) return 'needless';
  // Nothing waits for a push service: other notices are due, too.
  ring(deps, chat, site, message).catch((error) => events.fail(error, 'push'));
  if (next === undefined) return 'needless';
  return { again: new Date(deps.now() + next * MINUTE_MS), change: { rings: rings + 1 } };
}

/** What the visitor wrote last. */
function newestOf({ _id }: ChatDoc): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat: _id, sender: 'visitor' }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}

async function ring(deps: BellDeps, chat: ChatDoc, site: SiteDoc, message: MessageDoc, why?: string): Promise<void> {
  const notice = noticeOf(chat, site, message, why);
  const users = await recipientsOf(deps, chat, site);
  await Promise.all(users.map((user) => pushTo(deps, user, notice)));
}

async function hasDevices(site: SiteDoc): Promise<boolean> {
  return (await PushModel.exists({ user: { $in: repliersOf(site) } })) !== null;
}

function repliersOf(site: SiteDoc): Types.ObjectId[] {
  return site.team.flatMap(({ user }) => {
    const member = memberOf(site, user);
    return member && can(member, 'chats.reply') ? [user] : [];
  });
}

/** The claimer, or everybody whose chat it may become: who wants to hear of it, and has no dashboard open that would tell. */
async function recipientsOf({ presence, now }: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<UserDoc[]> {
  const { notifications: isWanted, offlineMode, hours } = site.settings;
  const isExpected = chat.claimedBy !== null || (!offlineMode && isOpen(hours, now()));
  if (!isWanted || !isExpected) return [];
  const asked = repliersOf(site).filter((user) => chat.claimedBy === null || chat.claimedBy.equals(user));
  const absent = asked.filter((user) => !presence.agentIsConnected(user.toHexString()));
  const users = await UserModel.find({ _id: { $in: absent } }).lean<UserDoc[]>();
  return users.filter(
    ({ available, notifications, suspendedAt, deletedAt }) =>
      (available || chat.claimedBy) && notifications?.browserNotifications !== false && !suspendedAt && !deletedAt,
  );
}

async function pushTo({ push, sessions }: BellDeps, user: UserDoc, notice: Notice): Promise<void> {
  const living = await sessions.list(user);
  await push.send({ user: user._id, sessions: living.map(({ _id }) => _id) }, notice);
}

function noticeOf({ _id, status, visitorInfo }: ChatDoc, site: SiteDoc, { content }: MessageDoc, why?: string): Notice {
  return {
    title: cut(`${visitorInfo.name ?? 'Visitor'} · ${site.name}`, TITLE_LENGTH),
    body: why ?? (status === 'waiting' ? 'A visitor is waiting for an answer.' : 'New message'),
    preview: cut(content, PREVIEW_LENGTH),
    chatId: _id.toHexString(),
  };
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
}
