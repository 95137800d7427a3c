import type { Types, UpdateQuery } from 'mongoose';
import { newestMessage } from './append.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, TAKEN_UP } from './model.ts';
import { stepChat } from './write.ts';

const PREVIEW_LENGTH = 200;
/** On start, the chats of this many newest messages are looked at: far more than a crash can leave half done. */
const REPAIR_MESSAGES = 500;

/**
 * Brings the chat's summary up to a message that was just stored. Where a step is missing before it (another writer's
 * is still to come, or a crash took it), the summary is rebuilt from the messages instead.
 * @returns the chat as it is now; null: it was deleted meanwhile
 */
export async function summarize(message: MessageDoc): Promise<ChatDoc | null> {
  const next = await stepChat({ message, update: step(message) });
  if (next) return next;
  if (message.sender === 'agent') await ChatModel.updateOne({ _id: message.chat }, answered(message));
  return rebuild(message.chat);
}

function step(message: MessageDoc): UpdateQuery<ChatDoc> {
  const newest = newestFields(message);
  switch (message.sender) {
    case 'visitor':
      return { $set: newest, $min: { waitingSince: message.createdAt }, $inc: { rev: 1, unread: 1 } };
    case 'agent':
      return { $set: { ...newest, unread: 0 }, ...answered(message), $inc: { rev: 1 } };
    case 'system':
      return { $set: newest, $unset: { waitingSince: 1 }, $inc: { rev: 1 } };
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
    updatedAt: new Date(),
  };
}
