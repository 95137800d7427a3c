import type { Types } from 'mongoose';
import { newestMessage } from './append.ts';
import { type ChatDoc, ChatModel, type MessageDoc, MessageModel, TAKEN_UP } from './model.ts';

const PREVIEW_LENGTH = 200;
/** On start, the chats of this many newest messages are looked at: far more than a crash can leave half done. */
const REPAIR_MESSAGES = 500;

/**
 * Brings the chat's summary up to a message that was just stored. Where a step is missing before it (another writer's
 * is still to come, or a crash took it), the summary is rebuilt from the messages instead.
 * @returns the chat as it is now; null: it was deleted meanwhile
 */
export async function summarize(message: MessageDoc): Promise<ChatDoc | null> {
  const next = await ChatModel.findOneAndUpdate(
    { _id: message.chat, lastSeq: message.seq - 1 },
    message.sender === 'agent'
      ? { $set: { ...newestFields(message), unread: 0 }, ...answered(message), $inc: { rev: 1 } }
      : { $set: newestFields(message), $inc: { rev: 1, unread: message.sender === 'visitor' ? 1 : 0 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (next) return next;
  if (message.sender === 'agent') await ChatModel.updateOne({ _id: message.chat }, answered(message));
  return rebuild(message.chat);
}

/** Who answers has read what stands above the answer, and has taken the chat up. */
function answered({ seq }: MessageDoc) {
  return { $max: { 'receipts.staff.delivered': seq, 'receipts.staff.read': seq }, ...TAKEN_UP };
}

/** Makes the summary anew from the messages. */
export async function rebuild(chatId: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const isAnswer = newest.sender === 'agent';
  const unread = isAnswer ? 0 : await countUnread(chatId, chat.receipts.staff.read);
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq } },
    { $set: { ...newestFields(newest), unread }, ...(isAnswer ? answered(newest) : {}), $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  return rebuilt ?? ChatModel.findById(chatId).lean<ChatDoc>();
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
