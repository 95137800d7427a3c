import { Types } from 'mongoose';
import { firstAnswer, firstUnanswered, newestMessage, newestSaid } from '../messages/messages.ts';
import { type ChatDoc, ChatModel, MessageModel, SET_UPDATED_AT } from '../model.ts';
import { readByTeam } from './receipts.ts';
import { answered, countUnread, firstTimeFields, newestFields } from './rowFields.ts';

/** Rebuilds the row from the messages. It stays marked as unread or snoozed, unless it lacks a message that ends that. */
export async function rebuild(chatId: Types.ObjectId, untold?: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const said = newest.sender === 'system' ? await newestSaid(chatId) : newest;
  const isAnswer = newest.sender === 'agent';
  const mark = chat.unreadFrom === undefined || (await lacks(chat, 'agent')) ? undefined : chat.unreadFrom;
  const readSeq = readByTeam({ receipts: chat.receipts, unreadFrom: mark });
  const unread = isAnswer && mark === undefined ? 0 : await countUnread(chatId, readSeq, newest.seq);
  const isAwake = chat.snoozedUntil === undefined || (await lacks(chat, 'visitor'));
  const waitingSince = newest.sender === 'visitor' ? await firstUnanswered(chatId) : undefined;
  const response = chat.firstResponseAt ? null : await firstAnswer(chatId);
  const { $max, $unset } = answered(newest);
  const { lastActivity, ...shown } = newestFields(newest, said?.content ?? '');
  const gone = {
    ...(isAnswer && $unset),
    ...(!waitingSince && { waitingSince: 1 as const }),
    ...(mark === undefined && { unreadFrom: 1 as const }),
    ...(isAwake && { snoozedUntil: 1 as const }),
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
