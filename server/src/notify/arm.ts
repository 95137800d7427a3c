import { randomUUID } from 'node:crypto';
import type { Types } from 'mongoose';
import { bus } from '../bus.ts';
import type { ChatDoc } from '../chats/model.ts';
import { NoticeModel } from './model.ts';

const MINUTE_MS = 60_000;
/** How long a chat waits before the team is mailed. */
export const WAITING_MAX_MS = 3 * MINUTE_MS;
/** Where nobody is there: long enough for an agent's lost connection, and for the rest of what the visitor writes. */
const OFFLINE_AFTER_MS = 10_000;
/** Answers of this stretch go into one mail. */
export const ANSWER_AFTER_MS = 2 * MINUTE_MS;

/** Whether a chat's visitor waits and no member has reacted: being assigned by the server is no reaction. */
export function isUnattended({ open, claimedBy, assignedAt }: ChatDoc): boolean {
  return open === true && (claimedBy === null || assignedAt !== undefined);
}

const teamId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:team`;
const bellId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:bell`;
const answerId = ({ _id }: { _id: Types.ObjectId }) => `${_id}:answer`;

const first = ({ _id, site }: ChatDoc, at: number) => ({
  chat: _id,
  site,
  key: randomUUID(),
  since: new Date(at),
});

/** The team is to be mailed of this chat unless somebody reacts; once, until somebody does. @param at milliseconds */
export async function awaitReaction(chat: ChatDoc, at: number): Promise<void> {
  const fresh = { ...first(chat, at), kind: 'team', dueAt: new Date(at + WAITING_MAX_MS) };
  await NoticeModel.updateOne({ _id: teamId(chat) }, { $setOnInsert: fresh }, { upsert: true });
  await bus.tell('deliveryAwaited', null);
}

/** The same where nobody is there: the mail does not wait. */
export async function awaitReturn(chat: ChatDoc, at: number): Promise<void> {
  await awaitReaction(chat, at);
  await NoticeModel.updateOne(
    { _id: teamId(chat), dueAt: { $exists: true } },
    { $set: { isOffline: true }, $min: { dueAt: new Date(at + OFFLINE_AFTER_MS) } },
  );
}

/** Devices are to ring again unless somebody reacts. @param at when next, in milliseconds */
export async function awaitBell(chat: ChatDoc, at: number): Promise<void> {
  const fresh = { ...first(chat, at), kind: 'bell', dueAt: new Date(at) };
  await NoticeModel.updateOne({ _id: bellId(chat) }, { $setOnInsert: fresh }, { upsert: true });
  await bus.tell('deliveryAwaited', null);
}

/** Somebody reacted: nothing is to be mailed, until the chat waits anew. The bell asks by itself before it rings. */
export async function standDown(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteOne({ _id: teamId(chat) });
}

/** The visitor ended the chat: nobody waits any more, but a message that nobody was there to see is still mailed. */
export async function standDownUnlessOffline(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteOne({ _id: teamId(chat), isOffline: { $ne: true } });
}

/** The visitor is to be mailed this answer unless it is read before. */
export async function awaitReading(chat: ChatDoc, seq: number, at: number): Promise<void> {
  await NoticeModel.updateOne(
    { _id: answerId(chat) },
    {
      $setOnInsert: { ...first(chat, at), kind: 'answer' },
      $max: { wantedSeq: seq },
      $min: { dueAt: new Date(at + ANSWER_AFTER_MS) },
      $unset: { doneAt: 1 },
    },
    { upsert: true },
  );
  await bus.tell('deliveryAwaited', null);
}

/** Forgets all notices of a deleted chat. */
export async function forgetNotices(chat: { _id: Types.ObjectId }): Promise<void> {
  await NoticeModel.deleteMany({ _id: { $in: [teamId(chat), bellId(chat), answerId(chat)] } });
}
