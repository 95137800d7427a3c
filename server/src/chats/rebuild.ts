import { Types } from 'mongoose';
import { firstAnswer, firstUnanswered, newestMessage, newestSaid } from './messages.ts';
import { type ChatDoc, ChatModel, MessageModel, SET_UPDATED_AT } from './model.ts';
import { readByTeam } from './receipts.ts';
import { answered, countUnread, firstTimeFields, newestFields } from './rowFields.ts';

/** Rebuilds the row from the messages. A mark as unread stays, unless it was answered since. */
export async function rebuild(chatId: Types.ObjectId, untold?: Types.ObjectId): Promise<ChatDoc | null> {
  const chat = await ChatModel.findById(chatId).lean<ChatDoc>();
  const newest = chat && (await newestMessage(chatId));
  if (!chat || !newest) return chat;
  const said = newest.sender === 'system' ? await newestSaid(chatId) : newest;
  const isAnswer = newest.sender === 'agent';
  const mark = chat.unreadFrom === undefined || (await isAnsweredSince(chat)) ? undefined : chat.unreadFrom;
  const readSeq = readByTeam({ receipts: chat.receipts, unreadFrom: mark });
  const unread = isAnswer && mark === undefined ? 0 : await countUnread(chatId, readSeq, newest.seq);
  const waitingSince = newest.sender === 'visitor' ? await firstUnanswered(chatId) : undefined;
  const response = chat.firstResponseAt ? null : await firstAnswer(chatId);
  const { $max, $unset } = answered(newest);
  const gone = {
    ...(isAnswer && $unset),
    ...(!waitingSince && { waitingSince: 1 as const }),
    ...(mark === undefined && { unreadFrom: 1 as const }),
  };
  const rebuilt = await ChatModel.findOneAndUpdate(
    { _id: chatId, lastSeq: { $lte: newest.seq }, unreadFrom: chat.unreadFrom ?? null },
    {
      ...(isAnswer && { $max }),
      $set: {
        ...newestFields(newest, said?.content ?? ''),
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

/** Whether there is an answer that the row lacks. */
async function isAnsweredSince({ _id, lastSeq }: ChatDoc): Promise<boolean> {
  return (await MessageModel.exists({ chat: _id, seq: { $gt: lastSeq }, sender: 'agent' })) !== null;
}
