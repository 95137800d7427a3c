import { randomUUID } from 'node:crypto';
import { Types } from 'mongoose';
import type { ChatDoc, MessageDoc } from '#features/chats';
import type { Presence } from '#features/presence';
import { departmentInCharge, helpDueAt, isOnlineFor, type SiteDoc } from '#features/sites';
import { events } from '#platform/events';
import type { Mail } from '#platform/mail';
import { MINUTE_MS } from '#platform/time';
import {
  mailAddressNotice,
  mailApiKeyNotice,
  mailInvite,
  mailPasswordNotice,
  mailTwoFactorNotice,
} from './accountMail.ts';
import { type NoticeDoc, NoticeModel, type NotifiedMessage } from './model.ts';

declare module '#platform/events' {
  interface Events {
    /** A notice was scheduled: wakes its queue, which may be idle. */
    noticeScheduled: null;
  }
}

/** How long a chat waits before the team is mailed. */
export const WAITING_MAX_MS = 3 * MINUTE_MS;
/** The wait if no agent is online: long enough for an agent to reconnect, and for the visitor to write the rest. */
const OFFLINE_AFTER_MS = 10_000;
/** Debounce: answers within this time go into one mail. */
export const ANSWER_AFTER_MS = 2 * MINUTE_MS;

/**
 * Whether a chat's visitor waits for people and none has reacted; an automatic assignment does not count as a reaction, but
 * whoever snoozed it has reacted.
 */
export function isUnattended(chat: ChatDoc): boolean {
  return chat.open === true && isAwaitingPeople(chat) && (chat.claimedBy === null || chat.assignedAt !== undefined);
}

/** Whether a chat is neither snoozed nor the assistant's. */
export const isAwaitingPeople = ({ snoozedUntil, assisted }: ChatDoc) => snoozedUntil === undefined && !assisted;

const teamId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:team`;
const helpId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:help`;
const bellId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:bell`;
const answerId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:answer`;
const mentionId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:mention`;

const first = ({ _id, site }: ChatDoc, at: number) => ({
  chat: _id,
  site,
  key: randomUUID(),
  since: new Date(at),
});

/**
 * Schedules the team's mail about this chat, unless somebody reacts; once until somebody does.
 * @param at milliseconds
 * @returns whether it was not scheduled yet
 */
async function scheduleTeamMail(chat: ChatDoc, at: number): Promise<boolean> {
  const notice = { ...first(chat, at), kind: 'team', dueAt: new Date(at + WAITING_MAX_MS) };
  return scheduleOnce(teamId(chat), notice);
}

async function scheduleOnce(id: string, notice: object): Promise<boolean> {
  const { upsertedCount } = await NoticeModel.updateOne({ _id: id }, { $setOnInsert: notice }, { upsert: true });
  await events.emit('noticeScheduled', null);
  return upsertedCount > 0;
}

/** Schedules the mail about a chat that began while no agent was online: sooner than usual. */
async function scheduleOfflineMail(chat: ChatDoc, at: number): Promise<void> {
  await scheduleTeamMail(chat, at);
  await NoticeModel.updateOne(
    { _id: teamId(chat), dueAt: { $exists: true } },
    { $set: { isOffline: true }, $min: { dueAt: new Date(at + OFFLINE_AFTER_MS) }, $unset: { takes: 1 } },
  );
}

/**
 * Schedules the next ring unless somebody reacts.
 * @param at when, in milliseconds
 * @returns whether none was scheduled yet
 */
export async function schedulePush(chat: ChatDoc, at: number): Promise<boolean> {
  return scheduleOnce(bellId(chat), { ...first(chat, at), kind: 'bell', dueAt: new Date(at) });
}

/** Cancels the team's mail after a reaction, until the chat waits again. The bell checks by itself before it rings. */
async function cancel(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteMany({ _id: { $in: [teamId(chat), helpId(chat)] } });
}

/** Forgets the team's mails about a chat that were scheduled before it came into the queue of its department, for others. */
export async function forgetMailsBefore(chat: { _id: Types.ObjectId }, at: Date): Promise<void> {
  await NoticeModel.deleteMany({ _id: { $in: [teamId(chat), helpId(chat)] }, since: { $lt: at } });
}

/**
 * Schedules the mail to everybody about a chat of which only the members of its department are mailed now, for when others may
 * help; once until somebody reacts.
 */
export async function scheduleHelpMail(chat: ChatDoc, site: SiteDoc, now: number): Promise<void> {
  const department = departmentInCharge(site, chat, now);
  const at = department ? helpDueAt(department, chat) : Number.POSITIVE_INFINITY;
  if (Number.isFinite(at)) await scheduleOnce(helpId(chat), { ...first(chat, now), kind: 'team', dueAt: new Date(at) });
}

/** Cancels the mail of a chat that its visitor ended, except for a message that arrived while no agent was online. */
async function cancelUnlessOffline(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteMany({ _id: { $in: [teamId(chat), helpId(chat)] }, isOffline: { $ne: true } });
}

/** Schedules the visitor's mail about this answer, unless it is read before. @returns whether it was not scheduled yet */
export async function scheduleAnswerMail(chat: ChatDoc, seq: number, at: number): Promise<boolean> {
  const before = await NoticeModel.findOneAndUpdate(
    { _id: answerId(chat) },
    {
      $setOnInsert: { ...first(chat, at), kind: 'answer' },
      $max: { wantedSeq: seq },
      $min: { dueAt: new Date(at + ANSWER_AFTER_MS) },
      $unset: { doneAt: 1, takes: 1 },
    },
    { upsert: true, returnDocument: 'before' },
  ).lean<NoticeDoc | null>();
  await events.emit('noticeScheduled', null);
  return (before?.wantedSeq ?? 0) < seq;
}

/**
 * Schedules the mail about mentions in this chat, for those who have not seen them by then. Each call has a new key, so
 * that a mail being written meanwhile does not count as this one.
 */
export async function scheduleMentionMail(chat: ChatDoc, at: number): Promise<void> {
  const { key, ...named } = first(chat, at);
  await NoticeModel.updateOne(
    { _id: mentionId(chat) },
    {
      $setOnInsert: { ...named, kind: 'mention' },
      $set: { key },
      $min: { dueAt: new Date(at + OFFLINE_AFTER_MS) },
      $unset: { doneAt: 1, takes: 1 },
    },
    { upsert: true },
  );
  await events.emit('noticeScheduled', null);
}

/** Deletes all notices of a deleted chat. */
async function forgetNotices(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteMany({
    _id: { $in: [teamId, helpId, bellId, answerId, mentionId].map((idOf) => idOf(chat)) },
  });
}

interface ListenDeps {
  mail: Mail;
  presence: Presence;
  now: () => number;
}

const isQuiet = ({ bot, blocked, assisted }: ChatDoc) => bot || blocked || assisted === true;

/** Schedules or cancels the mails that a message calls for. Idempotent. */
export async function scheduleMails(
  { chat, site, message: { sender, rule, seq } }: { chat: ChatDoc; site: SiteDoc; message: MessageDoc },
  { presence, now }: Pick<ListenDeps, 'presence' | 'now'>,
): Promise<void> {
  if (isQuiet(chat) || rule) return;
  if (sender === 'agent') await onAnswer(chat, seq, now());
  else if (sender === 'visitor') {
    if (!isOnlineFor(site, chat, presence, now())) await scheduleOfflineMail(chat, now());
    else if (isUnattended(chat)) await scheduleTeamMail(chat, now());
  }
}

/**
 * Schedules what was not scheduled for a chat's newest message, some time ago. Who was online then is not known, so its team
 * has the usual time to react.
 * @returns whether anything was not scheduled
 */
export async function scheduleMissedMails(chat: ChatDoc, message: NotifiedMessage): Promise<boolean> {
  if (isQuiet(chat)) return false;
  const at = message.createdAt.getTime();
  if (message.sender === 'agent') return onAnswer(chat, message.seq, at);
  return message.sender === 'visitor' && isUnattended(chat) && (await scheduleTeamMail(chat, at));
}

/**
 * Schedules the team's mail about a chat that waits again, or waits for people now. @param at since when, in milliseconds
 * @param isOffline nobody has been there for it yet
 */
export async function scheduleWaitingMail(chat: ChatDoc, at: number, isOffline: boolean): Promise<void> {
  if (!isQuiet(chat)) await (isOffline ? scheduleOfflineMail : scheduleTeamMail)(chat, at);
}

async function onAnswer(chat: ChatDoc, seq: number, at: number): Promise<boolean> {
  await cancel(chat);
  return Boolean(chat.visitorInfo.email) && scheduleAnswerMail(chat, seq, at);
}

/** Schedules mails on other events than messages, and cancels those no longer needed. @returns a disposer */
export function scheduleNotices({ mail }: Pick<ListenDeps, 'mail'>): () => void {
  return events.stopAll([
    events.on('chatClaimed', async ({ chat, byHand }) => {
      if (byHand) await cancel(chat);
    }),
    events.on('chatTakenUp', ({ chat }) => cancel(chat)),
    events.on('chatClosed', ({ chat, closer }) => (closer ? cancel(chat) : cancelUnlessOffline(chat))),
    // Emitted again until everything of the chat is gone, even if a crash comes between.
    events.on('chatErased', async ({ chatId }) => {
      await forgetNotices({ _id: new Types.ObjectId(chatId) });
      await mail.forget(chatId);
    }),
    events.on('visitorErased', ({ visitor }) => mail.forget(visitor._id.toHexString())),
    events.on('invited', (event) => mailInvite(mail, event)),
    events.on('apiKeyCreated', ({ userId, name }) => mailApiKeyNotice(mail, userId, name)),
    events.on('passwordChanged', ({ userId }) => mailPasswordNotice(mail, userId)),
    events.on('passwordReset', ({ userId }) => mailPasswordNotice(mail, userId)),
    events.on('emailChanged', async ({ userId, from }) => {
      if (from !== null) await mailAddressNotice(mail, userId, from);
    }),
    events.on('accountDeleted', ({ userId }) => mail.forget(userId)),
    events.on('twoFactorEnabled', ({ userId }) => mailTwoFactorNotice(mail, userId, 'on')),
    events.on('twoFactorDisabled', ({ userId }) => mailTwoFactorNotice(mail, userId, 'off')),
  ]);
}
