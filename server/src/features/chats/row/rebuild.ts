import { Types } from 'mongoose';
import { rebuiltAssistant } from '../assisted/state.ts';
import type { Receipts } from '../contract.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';
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

/** Rebuilds a chat's row from its messages, and moves its receipts. @returns null: the chat was deleted meanwhile */
export async function rebuildWith(
  id: Types.ObjectId,
  { messages, receipts, untold }: RowContent,
): Promise<WrittenRow | null> {
  const answer = messages.findLast(({ sender }) => sender === 'agent');
  if (answer) await ChatModel.updateOne({ _id: id }, answered(answer));
  const newest = await newestMessage(id);
  if (newest) await writeReceipts(id, receiptsUpTo(receipts, newest.seq));
  const chat = await rebuild(id, untold);
  return chat && { before: null, chat };
}

/** As `withReceipts`, in the store, for a row that is rebuilt afterwards. */
async function writeReceipts(_id: Types.ObjectId, receipts: Receipts): Promise<void> {
  await ChatModel.updateOne({ _id }, { $max: receiptFields(receipts) });
  const { read } = receipts.staff;
  if (read > 0) await ChatModel.updateOne({ _id, unreadFrom: { $lte: read } }, { $unset: { unreadFrom: 1 } });
}

/** Rebuilds the row from the messages. It stays marked as unread or snoozed, unless it lacks a message that ends that. */
export async function rebuild(chatId: Types.ObjectId, untold?: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const newestOfPerson = newest.sender === 'system' ? await newestPersonMessage(chatId) : newest;
  const isAnswer = newest.sender === 'agent';
  const mark = chat.unreadFrom === undefined || (await lacks(chat, 'agent')) ? undefined : chat.unreadFrom;
  const readSeq = readByTeam({ receipts: chat.receipts, unreadFrom: mark });
  const unread = isAnswer && mark === undefined ? 0 : await countUnread(chatId, readSeq, newest.seq);
  const isAwake = chat.snoozedUntil === undefined || (await lacks(chat, 'visitor'));
  const waitingSince = isWaiting(newest) ? await firstUnanswered(chat) : undefined;
  const assistant = await rebuiltAssistant(chat);
  const response = chat.firstResponseAt ? null : await firstAnswer(chatId);
  const { $max, $unset } = answered(newest);
  const { lastActivity, ...shown } = newestFields(newest, newestOfPerson ? plainText(newestOfPerson) : '');
  const gone = {
    ...(isAnswer && $unset),
    ...(!waitingSince && { waitingSince: 1 as const }),
    ...(mark === undefined && { unreadFrom: 1 as const }),
    ...(isAwake && { snoozedUntil: 1 as const }),
    ...assistant.gone,
  };
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq }, unreadFrom: chat.unreadFrom ?? null },
    {
      // A chat that came back from a snooze has been active later than its newest message.
      $max: { lastActivity, ...(isAnswer && $max) },
      $set: {
        ...shown,
        unread,
        uncounted: new Types.ObjectId(),
        ...(response && firstTimeFields(chat, response)),
        ...(waitingSince && { waitingSince }),
        ...(untold && { untold }),
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
  return now && now.unreadFrom !== chat.unreadFrom ? rebuild(chatId, untold) : now;
}

/** Whether there is a message of this side that the row lacks. */
async function lacks({ _id, lastSeq }: ChatDoc, sender: 'agent' | 'visitor'): Promise<boolean> {
  return (await MessageModel.exists({ chat: _id, seq: { $gt: lastSeq }, sender })) !== null;
}

/** A row goes on showing what the chat is about when it is closed or opened again. @returns the newest message of a person */
export function newestPersonMessage(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat, sender: { $ne: 'system' } })
    .sort({ seq: -1 })
    .lean<MessageDoc>()
    .exec();
}

/** @returns the first message of an agent */
function firstAnswer(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat, sender: 'agent' }).sort({ seq: 1 }).lean<MessageDoc>().exec();
}

/** After a hand-over the visitor goes on waiting. */
const isWaiting = ({ sender, event }: MessageDoc) => sender === 'visitor' || event === 'handed_over';

/** @returns the time of the visitor's first message since the last answer */
async function firstUnanswered({ _id: chat, assistant }: ChatDoc): Promise<Date | undefined> {
  const answer = await MessageModel.findOne({ chat, sender: { $in: ['agent', 'assistant'] } })
    .sort({ seq: -1 })
    .lean<MessageDoc>();
  const after = { chat, seq: { $gt: answer?.seq ?? 0 }, sender: 'visitor' as const };
  const first = await MessageModel.findOne(after).sort({ seq: 1 }).lean<MessageDoc>();
  return first?.createdAt ?? (answer?.sender === 'assistant' ? (assistant?.askedAt ?? answer.createdAt) : undefined);
}
