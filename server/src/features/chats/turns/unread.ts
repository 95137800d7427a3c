import { events } from '#platform/events';
import { conflict, notFound, sentence, unavailable } from '#platform/http';
import { enqueue, enqueueUnawaited } from '#platform/work';
import type { ChatOfSite } from '../guards.ts';
import { type MessageDoc, MessageModel } from '../messageModel.ts';
import { type ChatDoc, ChatModel, SET_UPDATED_AT } from '../model.ts';

/** Tries to mark a row that other changes of the chat come between. */
const TRIES_MAX = 10;

/**
 * Marks an open chat as unread from its visitor's latest message on, for the whole team, until a member reads it or answers.
 * What the visitor is shown as read stays. A chat that is unread stays as it is.
 * @throws AppError 404, 409 `CHAT_CLOSED`, `NOTHING_TO_READ`
 */
export async function markUnread({ chat: { _id }, site }: ChatOfSite): Promise<ChatDoc> {
  const chatId = _id.toHexString();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    // After the reports of what was read before.
    const { chat, isMarked } = await enqueue(chatId, () => tryToMark(_id));
    if (!chat) continue;
    if (isMarked) enqueueUnawaited(chatId, () => events.emit('chatChanged', { chat, site }));
    return chat;
  }
  throw unavailable();
}

/** @returns the chat as it is now; null: it has changed meanwhile */
async function tryToMark(_id: ChatDoc['_id']): Promise<{ chat: ChatDoc | null; isMarked: boolean }> {
  const chat = await ChatModel.findById(_id).lean<ChatDoc>();
  if (!chat) throw notFound('chat');
  if (!chat.open) throw conflict('CHAT_CLOSED', sentence('This chat is closed.'));
  if (chat.unread > 0) return { chat, isMarked: false };
  const latest = await latestOfVisitor(chat);
  if (!latest) throw conflict('NOTHING_TO_READ', sentence('The visitor has written nothing in this chat.'));
  const marked = await ChatModel.findOneAndUpdate(
    { _id, open: true, lastSeq: chat.lastSeq, unread: 0 },
    { $set: { unreadFrom: latest.seq, unread: 1 }, ...SET_UPDATED_AT, $inc: { rev: 1 } },
    { returnDocument: 'after' },
  ).lean<ChatDoc>();
  return { chat: marked, isMarked: true };
}

/** @returns the visitor's latest message that the row includes */
export function latestOfVisitor({ _id, lastSeq }: ChatDoc): Promise<Pick<MessageDoc, 'seq'> | null> {
  return MessageModel.findOne({ chat: _id, seq: { $lte: lastSeq }, sender: 'visitor' }, { seq: 1 })
    .sort({ seq: -1 })
    .lean<Pick<MessageDoc, 'seq'>>()
    .exec();
}
