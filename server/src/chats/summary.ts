import type { Types } from 'mongoose';
import { newestMessage } from './append.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, recentChats, TAKEN_UP, TOUCHED } from './model.ts';
import { writeSummary } from './write.ts';

const PREVIEW_LENGTH = 200;
/** So often is a step tried again that another change of the chat came before. */
const TRIES_MAX = 3;
/** On start, the chats of this many newest messages are looked at: far more than a crash can leave half done. */
const REPAIR_MESSAGES = 500;

/**
 * Brings the chat's summary up to a message that was just stored. Where a step is missing before it (another writer's
 * is still to come, or a crash took it), the summary is rebuilt from the messages instead.
 * @returns the chat as it is now; null: it was deleted meanwhile
 */
export async function summarize(message: MessageDoc): Promise<ChatDoc | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = await recentChats.find(message.chat.toHexString());
    if (before?.lastSeq !== message.seq - 1) break;
    const now = await writeSummary({ before, after: withMessage(before, message) });
    if (now) return now;
  }
  if (message.sender === 'agent') await ChatModel.updateOne({ _id: message.chat }, answered(message));
  return rebuild(message.chat);
}

/** The chat with one message more in its summary. */
function withMessage(chat: ChatDoc, message: MessageDoc): ChatDoc {
  const { waitingSince, ...after } = { ...chat, ...newestFields(message), rev: chat.rev + 1 };
  switch (message.sender) {
    case 'visitor':
      return { ...after, unread: chat.unread + 1, waitingSince: waitingSince ?? message.createdAt };
    case 'agent': {
      const { assignedAt, assignedUntil, handedBy, passedBy, ...taken } = after;
      const staff = { delivered: message.seq, read: message.seq };
      return { ...taken, unread: 0, receipts: { ...chat.receipts, staff } };
    }
    case 'system':
      return after;
  }
}

/** Who answers has read what stands above the answer, and has taken the chat up; nobody waits any more. */
function answered({ seq }: MessageDoc) {
  return {
    $max: { 'receipts.staff.delivered': seq, 'receipts.staff.read': seq },
    $unset: { ...TAKEN_UP.$unset, waitingSince: 1 },
  };
}

/** Makes the summary anew from the messages. */
export async function rebuild(chatId: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const isAnswer = newest.sender === 'agent';
  const unread = isAnswer ? 0 : await countUnread(chatId, chat.receipts.staff.read);
  const waitingSince = newest.sender === 'visitor' ? await firstUnanswered(chatId) : undefined;
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq } },
    {
      ...(waitingSince ? {} : { $unset: { waitingSince: 1 } }),
      ...(isAnswer ? answered(newest) : {}),
      $set: { ...newestFields(newest), unread, ...(waitingSince && { waitingSince }) },
      ...TOUCHED,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  return rebuilt ?? ChatModel.findById(chatId).lean<ChatDoc>();
}

/** When the visitor wrote for the first time since the last answer. */
async function firstUnanswered(chat: Types.ObjectId): Promise<Date | undefined> {
  const answer = await MessageModel.findOne({ chat, sender: 'agent' }).sort({ seq: -1 }).lean<MessageDoc>();
  const after = { chat, seq: { $gt: answer?.seq ?? 0 }, sender: 'visitor' as const };
  const first = await MessageModel.findOne(after).sort({ seq: 1 }).lean<MessageDoc>();
  return first?.createdAt;
}

/** Visitor messages after the last one that staff read. */
export function countUnread(chat: Types.ObjectId, readSeq: number): Promise<number> {
  return MessageModel.countDocuments({ chat, seq: { $gt: readSeq }, sender: 'visitor' });
}

/** Puts right, on start, what a crash left between a message and its chat's summary. */
export async function repairSummaries(): Promise<void> {
  const newest = await MessageModel.find().sort({ _id: -1 }).limit(REPAIR_MESSAGES).lean<MessageDoc[]>();
  const lastSeqs = new Map<string, MessageDoc>();
  for (const message of newest) {
    const held = lastSeqs.get(message.chat.toHexString());
    if (!held || held.seq < message.seq) lastSeqs.set(message.chat.toHexString(), message);
  }
  const chats = await ChatModel.find({ _id: { $in: [...lastSeqs.keys()] } }, { lastSeq: 1 }).lean<ChatDoc[]>();
  for (const { _id, lastSeq } of chats) {
    if (lastSeq < (lastSeqs.get(_id.toHexString())?.seq ?? 0)) await rebuild(_id);
  }
}

function newestFields({ seq, content, createdAt }: MessageDoc) {
  return {
    lastSeq: seq,
    lastMessage: content.slice(0, PREVIEW_LENGTH),
    lastActivity: createdAt,
  };
}
