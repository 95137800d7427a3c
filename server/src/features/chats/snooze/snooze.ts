import { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { liveSite } from '#features/sites';
import { isAny } from '#platform/database';
import { events } from '#platform/events';
import { conflict, invalid, notFound, sentence, type TranslatableText } from '#platform/http';
import { DAY_MS } from '#platform/time';
import { enqueueUnawaited } from '#platform/work';
import { type ChatOfSite, type Doer, doerName } from '../guards.ts';
import { BY_SNOOZE } from '../lists/lists.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
import { addNote } from '../notes/notes.ts';
import { latestOfVisitor } from '../turns/unread.ts';
import { SNOOZE_DAYS_MAX, SNOOZED_MAX } from './contract.ts';

/** Chats that are woken one after the other before the next ones are read. */
const BATCH = 100;

/**
 * Snoozes an open chat until a time, or sets another time. Whoever asked for it has reacted, so an assignment does not
 * pass on to the next member.
 * @param now milliseconds
 * @throws AppError 422 for a time that is not in the future, or too far, 404, 409 `CHAT_CLOSED`, `SNOOZE_LIMIT_REACHED`
 */
export async function snoozeChat(of: ChatOfSite, by: Doer, until: Date, now: number): Promise<ChatDoc> {
  refuseTime(until.getTime(), now);
  if (of.chat.snoozedUntil === undefined) await refuseIfTooMany(of);
  const { chat, site } = of;
  const snoozed = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, open: true, snoozedUntil: { $ne: until } },
    { $set: { snoozedUntil: until }, ...SET_UPDATED_AT, $unset: { assignedUntil: 1 }, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!snoozed) return asItIs(chat);
  await addNote(of, by, { content: `${doerName(by)} snoozed this chat` }, { event: 'snoozed', until });
  enqueueUnawaited(chat._id.toHexString(), async () => {
    await events.emit('chatSnoozed', { until: until.getTime() });
    await events.emit('chatChanged', { chat: snoozed, site });
  });
  return snoozed;
}

function refuseTime(until: number, now: number): void {
  const refused = (msg: TranslatableText) => invalid([{ msg, path: 'until' }]);
  if (until <= now) throw refused(sentence('Choose a time in the future.'));
  if (until > now + SNOOZE_DAYS_MAX * DAY_MS) throw refused(sentence('A chat can be snoozed for at most a year.'));
}

async function refuseIfTooMany({ site }: ChatOfSite): Promise<void> {
  const snoozed = { site: site._id, bot: false, snoozedUntil: { $exists: true } };
  const found = await ChatModel.find(snoozed, { _id: 1 }).hint(BY_SNOOZE).limit(SNOOZED_MAX).lean();
  if (found.length < SNOOZED_MAX) return;
  const text = sentence('At most {max} chats of a website can be snoozed at the same time.', { max: SNOOZED_MAX });
  throw conflict('SNOOZE_LIMIT_REACHED', text);
}

/** @returns a chat that needed no change @throws AppError 404, 409 `CHAT_CLOSED` */
async function asItIs({ _id }: ChatDoc): Promise<ChatDoc> {
  const now = await ChatModel.findById(_id).lean<ChatDoc>();
  if (!now) throw notFound('chat');
  if (!now.open) throw conflict('CHAT_CLOSED', sentence('This chat is closed.'));
  return now;
}

/** Brings a snoozed chat back because a member wants it. Idempotent. @throws AppError 404, 409 `CHAT_CLOSED` */
export async function unsnoozeChat(of: ChatOfSite, caller: Caller): Promise<ChatDoc> {
  const { chat, site } = of;
  const back = await ChatModel.findOneAndUpdate(
    { _id: chat._id, site: site._id, open: true, snoozedUntil: { $exists: true } },
    { ...SET_UPDATED_AT, $unset: { snoozedUntil: 1 }, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!back) return asItIs(chat);
  await addNote(of, caller, { content: `${caller.user.name} brought this chat back` }, { event: 'unsnoozed' });
  announceBack({ chat: back, site }, 'member');
  return back;
}

function announceBack(of: ChatOfSite, because: 'member' | 'time'): void {
  enqueueUnawaited(of.chat._id.toHexString(), async () => {
    await events.emit('chatWoken', { ...of, because });
    await events.emit('chatChanged', of);
  });
}

const dueAt = (now: number) => ({ snoozedUntil: { $lte: new Date(now) } });

/** Whether the time of any snoozed chat has come. */
export function isAnyDue(now: number): Promise<boolean> {
  return isAny(ChatModel.collection.name, dueAt(now));
}

/** When the next snoozed chat comes back, in milliseconds; infinite: none is snoozed. */
export async function nextWake(): Promise<number> {
  const next = await ChatModel.findOne({ snoozedUntil: { $exists: true } }, { snoozedUntil: 1 })
    .sort({ snoozedUntil: 1 })
    .lean<Pick<ChatDoc, 'snoozedUntil'>>();
  return next?.snoozedUntil?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Brings back all chats whose time has come; several nodes may do it at once. @returns how many this node has woken */
export async function wakeDue(now: number, signal: AbortSignal): Promise<number> {
  let woken = 0;
  while (!signal.aborted) {
    const chats = await ChatModel.find(dueAt(now)).sort({ snoozedUntil: 1 }).limit(BATCH).lean<ChatDoc[]>();
    for (const chat of chats) if (await wake(chat, now)) woken++;
    if (chats.length < BATCH) break;
  }
  return woken;
}

/**
 * Brings a chat back if it is unchanged since it was read: of several nodes, one does it. It is unread and on top of the
 * lists, like a new one, and the same write marks it, so that people are notified even after a crash.
 */
async function wake(chat: ChatDoc, now: number): Promise<boolean> {
  const { _id, snoozedUntil, lastSeq, unread } = chat;
  const site = await liveSite(chat.site.toHexString());
  const latest = unread === 0 ? await latestOfVisitor(chat) : null;
  const woken = await ChatModel.findOneAndUpdate(
    { _id, snoozedUntil: snoozedUntil ?? null, lastSeq, unread },
    {
      $set: { unnotified: new Types.ObjectId(), woken: true, ...(latest && { unreadFrom: latest.seq, unread: 1 }) },
      $max: { lastActivity: new Date(now) },
      ...SET_UPDATED_AT,
      $unset: { snoozedUntil: 1 },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (!woken || !site) return false;
  announceBack({ chat: woken, site }, 'time');
  return true;
}
