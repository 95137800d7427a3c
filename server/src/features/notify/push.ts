import type { Types } from 'mongoose';
import { type UserDoc, UserModel } from '#features/auth';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, type NoteDoc } from '#features/chats';
import {
  departmentInCharge,
  departmentOf,
  helpDueAt,
  hoursOfDepartment,
  isOpen,
  repliersFor,
  repliersOf,
  type SiteDoc,
} from '#features/sites';
import { batched } from '#platform/cache';
import { isAny } from '#platform/database';
import { events } from '#platform/events';
import { sentence } from '#platform/http';
import type { Sentence } from '#platform/http/contract';
import { type Notice, PushModel } from '#platform/push';
import { MINUTE_MS } from '#platform/time';
import { buttonsFor, cut, quickRepliesOf } from './buttons.ts';
import type { NoticeContext, NotifiedMessage, NotifyDeps, Outcome } from './model.ts';
import { isUnattended, schedulePush } from './schedule.ts';

/** A throttle: runs work at once, and then at most once per interval; of the calls meanwhile only the last one runs. */
export interface Throttle {
  /**
   * @param key each key is throttled separately
   * @returns the outcome of the run that stands for this call
   */
  run(key: string, work: () => Promise<void>): Promise<void>;
  /** Drops the waiting calls. */
  stop(): void;
}

/** The calls of one key during a pause. */
interface Pause {
  timer: NodeJS.Timeout;
  /** The last of them. */
  work: (() => Promise<void>) | null;
  /** Settles with the run that stands for all of them. */
  run: Promise<void>;
  start: (work: Promise<void>) => void;
}

/** Creates a throttle. @param everyMs the interval between two runs */
export function createThrottle(everyMs: number): Throttle {
  const pauses = new Map<string, Pause>();

  function start(key: string, work: () => Promise<void>): Promise<void> {
    const timer = setTimeout(() => {
      const pause = pauses.get(key);
      pauses.delete(key);
      if (pause?.work) pause.start(start(key, pause.work));
    }, everyMs);
    timer.unref();
    let startNext: Pause['start'] = () => {};
    const run = new Promise<void>((resolve) => {
      startNext = resolve;
    });
    pauses.set(key, { timer, work: null, run, start: startNext });
    return work();
  }

  return {
    run(key, work) {
      const pause = pauses.get(key);
      if (!pause) return start(key, work);
      pause.work = work;
      return pause.run;
    },
    stop() {
      for (const { timer } of pauses.values()) clearTimeout(timer);
      pauses.clear();
    },
  };
}

/** However fast a visitor writes, a chat rings at most this often. */
export const RING_EVERY_MS = 10_000;
/** The waits in minutes before each further ring, while the chat stays unattended. */
const RING_AGAIN_AFTER = [1, 1, 2, 4, 8, 16];
/** In characters; a lock screen shows no more. */
export const PREVIEW_LENGTH = 120;
const NAME_LENGTH = 100;

/** What ringing devices needs. */
type BellDeps = Pick<NotifyDeps, 'push' | 'presence' | 'sessions' | 'actionTokens' | 'now'>;

/** Rings the devices of an agent whom a colleague has given a chat, unless the agent has opened it. */
export async function pushNewClaimer(deps: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<void> {
  if (chat.bot || !chat.open || chat.handedBy === undefined || !(await hasDevices(site))) return;
  const message = await newestOf(chat);
  if (message) await ring(deps, chat, site, message, sentence('{name} handed you this chat.', { name: chat.handedBy }));
}

/**
 * Rings the devices of members whom a note mentions: of those who want notifications and have no open dashboard that shows it.
 * @param path the page that shows the note
 */
export async function pushMentioned(
  deps: BellDeps,
  { chat, site, note }: { chat: ChatDoc; site: SiteDoc; note: NoteDoc },
  { users, path }: { users: Types.ObjectId[]; path: string },
): Promise<void> {
  if (!site.settings.notifications || !(await haveDevices(users))) return;
  const content = `${note.authorName}: ${note.content}`;
  const why = sentence('{name} mentioned you in a note.', { name: note.authorName });
  const notice = { ...noticeOf(chat, site, { content }, why), path };
  await Promise.all((await absentOf(deps, users)).map((user) => pushTo(deps, user, notice)));
}

/** Rings the devices of the claimer of a chat that came back from a snooze at its time. */
export async function pushUnsnoozed(deps: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<void> {
  if (chat.bot || !chat.open || !chat.woken || !(await hasDevices(site))) return;
  const message = await newestOf(chat);
  if (message) await ring(deps, chat, site, message, sentence('This chat is back: its snooze is over.'));
}

/** Rings the devices of the team for a chat that waits again. */
export async function pushWaiting({ now }: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<void> {
  if (!chat.bot && (await hasDevices(site))) await schedulePush(chat, now());
}

/** Rings for a message unless it has been read, and schedules further rings while the chat stays unattended. */
export async function pushMessage(deps: BellDeps, site: SiteDoc, message: MessageDoc): Promise<void> {
  if (!(await hasDevices(site))) return;
  const chat = await ChatModel.findById(message.chat).lean<ChatDoc>();
  if (!chat || chat.status === 'closed' || chat.assisted || chat.receipts.staff.read >= message.seq) return;
  const [again = 1] = RING_AGAIN_AFTER;
  if (isUnattended(chat)) await schedulePush(chat, deps.now() + again * MINUTE_MS);
  await ring(deps, chat, site, message);
}

/** Makes up for a ring that was missed: schedules it for now, unless one is scheduled already. @returns whether it did */
export async function pushMissed(
  deps: BellDeps,
  chat: ChatDoc,
  site: SiteDoc,
  { seq }: NotifiedMessage,
): Promise<boolean> {
  const isRead = chat.receipts.staff.read >= seq;
  if (isRead || !isUnattended(chat) || !(await hasDevices(site))) return false;
  return schedulePush(chat, deps.now());
}

/** Rings again for an unattended chat, as long as there is somebody to notify. */
export async function pushAgain({ notice, chat, site }: NoticeContext, deps: BellDeps): Promise<Outcome> {
  const { rings = 0 } = notice;
  const next = RING_AGAIN_AFTER[rings + 1];
  const message = await newestOf(chat);
  if (!isUnattended(chat) || !message) return 'needless';
  // Not awaited: a slow push service must not delay other notices.
  ring(deps, chat, site, message).catch((error) => events.fail(error, 'push'));
  if (next === undefined) return helpOf(chat, site, deps.now());
  return { again: new Date(deps.now() + next * MINUTE_MS), change: { rings: rings + 1 } };
}

/** After the last ring for the members of a department: once more, for everybody, when others may help. */
function helpOf(chat: ChatDoc, site: SiteDoc, now: number): Outcome {
  const department = departmentOf(site, chat.department);
  const at = department ? helpDueAt(department, chat) : Number.POSITIVE_INFINITY;
  return now < at && Number.isFinite(at) ? { again: new Date(at) } : 'needless';
}

/** The visitor's newest message. */
function newestOf({ _id }: ChatDoc): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat: _id, sender: 'visitor' }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}

async function ring(deps: BellDeps, chat: ChatDoc, site: SiteDoc, message: MessageDoc, why?: Sentence): Promise<void> {
  const notice = noticeOf(chat, site, message, why);
  const users = await recipientsOf(deps, chat, site);
  const replies = await quickRepliesOf(users, site);
  await Promise.all(
    users.map((user) => {
      const about = { seq: message.seq, reply: replies.get(user) };
      const actionsFor = buttonsFor(deps.actionTokens, { chat, site, user }, about);
      return pushTo(deps, user, { ...notice, actionsFor });
    }),
  );
}

const hasDevices = (site: SiteDoc) => haveDevices(repliersOf(site));

/** Asked once for all messages of a tick: most teams have no device. */
const haveDevices = batched(async (teams: Types.ObjectId[][]) => {
  const anyOf = (users: Types.ObjectId[]) => isAny(PushModel.collection.name, { user: { $in: users } });
  const all = new Map(teams.flat().map((user) => [user.toHexString(), user]));
  const hasOne = await anyOf([...all.values()]);
  if (!hasOne || teams.length === 1) return () => hasOne;
  const each = new Map(await Promise.all(teams.map(async (users) => [users, await anyOf(users)] as const)));
  return (users) => each.get(users) ?? false;
});

/**
 * The chat's claimer, or the members who are given it now: those who want notifications and have no open dashboard that shows it.
 */
async function recipientsOf(deps: BellDeps, chat: ChatDoc, site: SiteDoc): Promise<UserDoc[]> {
  const { notifications: isWanted, offlineMode } = site.settings;
  const { claimedBy } = chat;
  const department = departmentInCharge(site, chat, deps.now());
  const hours = department ? hoursOfDepartment(site, department) : site.settings.hours;
  const isExpected = claimedBy !== null || (!offlineMode && isOpen(hours, deps.now()));
  if (!isWanted || !isExpected) return [];
  const candidates = claimedBy
    ? repliersOf(site).filter((user) => claimedBy.equals(user))
    : repliersFor(site, chat, deps.now());
  const users = await absentOf(deps, candidates);
  return users.filter(({ available }) => available || chat.claimedBy);
}

/** Those of these users who want notifications and have no open dashboard. */
async function absentOf({ presence }: Pick<BellDeps, 'presence'>, candidates: Types.ObjectId[]): Promise<UserDoc[]> {
  const absent = candidates.filter((user) => !presence.agentIsConnected(user.toHexString()));
  const users = await UserModel.find({ _id: { $in: absent } }).lean<UserDoc[]>();
  return users.filter(
    ({ notifications, suspendedAt, deletedAt }) =>
      notifications?.browserNotifications !== false && !suspendedAt && !deletedAt,
  );
}

async function pushTo({ push, sessions }: BellDeps, user: UserDoc, notice: Notice): Promise<void> {
  const living = await sessions.list(user);
  await push.send({ user: user._id, sessions: living.map(({ _id }) => _id) }, notice);
}

function noticeOf(
  { _id, status, visitorInfo }: ChatDoc,
  site: SiteDoc,
  { content }: { content: string },
  why?: Sentence,
): Notice {
  return {
    title:
      visitorInfo.name === null
        ? sentence('Visitor · {site}', { site: cut(site.name, NAME_LENGTH) })
        : sentence('{name} · {site}', { name: cut(visitorInfo.name, NAME_LENGTH), site: cut(site.name, NAME_LENGTH) }),
    body: why ?? sentence(status === 'waiting' ? 'A visitor is waiting for an answer.' : 'New message'),
    preview: cut(content, PREVIEW_LENGTH),
    chatId: _id.toHexString(),
  };
}
