import { Types } from 'mongoose';
import { rebuiltAssistant } from '../assisted/state.ts';
import type { Receipts } from '../contract.ts';
import { isAnswer, type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
import { type MarkingSite, marksOf } from '../outboxEvents.ts';
import {
  answered,
  countUnread,
  firstTimeFields,
  newestFields,
  newestMessage,
  plainText,
  type RowContent,
  readByTeam,
  receiptFields,
  receiptsUpTo,
  type WrittenRow,
} from './row.ts';

/** Not sent by a rule. */
const NO_RULE = { rule: { $exists: false } };

/** Rebuilds a chat's row from its messages, and moves its receipts. @returns null: the chat was deleted meanwhile */
export async function rebuildWith(
  id: Types.ObjectId,
  { site, messages, receipts }: RowContent,
): Promise<WrittenRow | null> {
  const answer = messages.findLast(isAnswer);
  if (answer) await ChatModel.updateOne({ _id: id }, answered(answer));
  const newest = await newestMessage(id);
  if (newest) await writeReceipts(id, receiptsUpTo(receipts, newest.seq));
  const chat = await rebuild(id, site);
  return chat && { before: null, chat };
}

/** As `withReceipts`, in the store, for a row that is rebuilt afterwards. */
async function writeReceipts(_id: Types.ObjectId, receipts: Receipts): Promise<void> {
  await ChatModel.updateOne({ _id }, { $max: receiptFields(receipts) });
  const { read } = receipts.staff;
  if (read > 0) await ChatModel.updateOne({ _id, unreadFrom: { $lte: read } }, { $unset: { unreadFrom: 1 } });
}

/**
 * Rebuilds the row from the messages. It stays marked as unread or snoozed, unless it lacks a message that ends that. What other
 * nodes have stored is included, and marked: whoever stored it finds it in the row, and may have crashed.
 */
export async function rebuild(chatId: Types.ObjectId, site: MarkingSite): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const newestOfPerson = newest.sender === 'system' ? await newestPersonMessage(chatId) : newest;
  const isAnswered = isAnswer(newest);
  const mark = chat.unreadFrom === undefined || (await lacks(chat, 'agent')) ? undefined : chat.unreadFrom;
  const readSeq = readByTeam({ receipts: chat.receipts, unreadFrom: mark });
  const unread = isAnswered && mark === undefined ? 0 : await countUnread(chatId, readSeq, newest.seq);
  const isAwake = chat.snoozedUntil === undefined || (await lacks(chat, 'visitor'));
  const waitingSince = isWaiting(newest) ? await firstUnanswered(chat) : undefined;
  const assistant = await rebuiltAssistant(chat);
  const response = chat.firstResponseAt ? null : await firstAnswer(chatId);
  const { $max, $unset } = answered(newest);
  const { lastActivity, ...shown } = newestFields(newest, newestOfPerson ? plainText(newestOfPerson) : '');
  const gone = {
    ...(isAnswered && $unset),
    ...(!waitingSince && { waitingSince: 1 as const }),
    ...(mark === undefined && { unreadFrom: 1 as const }),
    ...(isAwake && { snoozedUntil: 1 as const }),
    ...assistant.gone,
  };
  // A message that is corrected meanwhile may have been read with its text from before.
  const asRead = { unreadFrom: chat.unreadFrom ?? null, lastEdit: chat.lastEdit ?? null };
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq }, ...asRead },
    {
      // A chat that came back from a snooze has been active later than its newest message.
      $max: { lastActivity, ...(isAnswered && $max) },
      $set: {
        ...shown,
        unread,
        uncounted: new Types.ObjectId(),
        ...(response && firstTimeFields(chat, response)),
        ...(waitingSince && { waitingSince }),
        ...marksOf(site, await lackedBy(chat, newest)),
        ...assistant.set,
      },
      ...(Object.keys(gone).length > 0 && { $unset: gone }),
      ...SET_UPDATED_AT,
      $inc: { rev: 1 },
    },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  if (rebuilt) return rebuilt;
  const now = await ChatModel.findById(chatId).lean<ChatDoc>();
  const isAsRead = now && now.unreadFrom === chat.unreadFrom && now.lastEdit === chat.lastEdit;
  return isAsRead ? now : rebuild(chatId, site);
}

/** The messages that a row lacks, up to the newest one. */
function lackedBy({ _id: chat, lastSeq }: ChatDoc, { seq }: MessageDoc): Promise<MessageDoc[]> {
  return MessageModel.find({ chat, seq: { $gt: lastSeq, $lte: seq } }, { sender: 1, event: 1 })
    .lean<MessageDoc[]>()
    .exec();
}

/** Whether there is a message of this side that the row lacks. */
async function lacks({ _id, lastSeq }: ChatDoc, sender: 'agent' | 'visitor'): Promise<boolean> {
  return (await MessageModel.exists({ chat: _id, seq: { $gt: lastSeq }, sender, ...NO_RULE })) !== null;
}

/**
 * A row goes on showing what the chat is about when it is closed or opened again.
 * @param upTo its `seq` at most
 * @returns the newest message of a person
 */
export function newestPersonMessage(chat: Types.ObjectId, upTo = Number.MAX_SAFE_INTEGER): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat, seq: { $lte: upTo }, sender: { $ne: 'system' } })
    .sort({ seq: -1 })
    .lean<MessageDoc>()
    .exec();
}

/** @returns the first message of an agent */
function firstAnswer(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat, sender: 'agent', ...NO_RULE })
    .sort({ seq: 1 })
    .lean<MessageDoc>()
    .exec();
}

/** After a hand-over, and after what a rule sends, the visitor goes on waiting. */
const isWaiting = ({ sender, event, rule }: MessageDoc) =>
  sender === 'visitor' || event === 'handed_over' || rule !== undefined;

/** @returns the time of the visitor's first message since the last answer */
async function firstUnanswered({ _id: chat, assistant }: ChatDoc): Promise<Date | undefined> {
  const answer = await MessageModel.findOne({ chat, sender: { $in: ['agent', 'assistant'] }, ...NO_RULE })
    .sort({ seq: -1 })
    .lean<MessageDoc>();
  const after = { chat, seq: { $gt: answer?.seq ?? 0 }, sender: 'visitor' as const };
  const first = await MessageModel.findOne(after).sort({ seq: 1 }).lean<MessageDoc>();
  return first?.createdAt ?? (answer?.sender === 'assistant' ? (assistant?.askedAt ?? answer.createdAt) : undefined);
}
