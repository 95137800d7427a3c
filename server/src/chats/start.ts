import type { Types } from 'mongoose';
import { duplicateKey } from '../http/errors.ts';
import { type ChatDoc, ChatModel } from './model.ts';

/** What a new chat is about. */
export type NewChat = Pick<ChatDoc, 'site' | 'visitor' | 'bot' | 'blocked' | 'visitorInfo'>;

/** The visitor's open chat; null: none. */
export function openChatOf(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  return ChatModel.findOne({ visitor, open: true }).lean<ChatDoc>().exec();
}

/**
 * Starts a chat, or gives the one that the visitor has open already: two at once end up in the same.
 * @param claimedBy whose it is from the start; null: it waits
 */
export async function startChat(chat: NewChat, claimedBy: Types.ObjectId | null = null): Promise<ChatDoc> {
  const at = new Date();
  const status = claimedBy ? 'active' : 'waiting';
  const started = new ChatModel({
    ...chat,
    claimedBy,
    status,
    open: true,
    createdAt: at,
    lastActivity: at,
    updatedAt: at,
  });
  try {
    await started.save();
    return started.toObject();
  } catch (error) {
    const open = duplicateKey(error) && (await openChatOf(chat.visitor));
    if (!open) throw error;
    return open;
  }
}
