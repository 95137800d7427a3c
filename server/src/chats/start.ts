import type { Types } from 'mongoose';
import { duplicateKey } from '../http/errors.ts';
import { type ChatDoc, ChatModel, recentChats } from './model.ts';

/** What a new chat is about. */
export type NewChat = Pick<ChatDoc, 'site' | 'visitor' | 'bot' | 'blocked' | 'visitorInfo'>;

const REMEMBERED_MAX = 20_000;
/** Which chat a visitor had open when it was looked for last. */
const lastOpen = new Map<string, string>();

/** The visitor's open chat; null: none. */
export async function openChatOf(visitor: Types.ObjectId): Promise<ChatDoc | null> {
  const key = visitor.toHexString();
  const last = lastOpen.get(key);
  const kept = last === undefined ? undefined : recentChats.get(last);
  if (kept?.open) return kept;
  const keep = recentChats.reading(last === undefined ? undefined : [last]);
  const open = await ChatModel.findOne({ visitor, open: true }).lean<ChatDoc>();
  if (!open) return null;
  keep([open]);
  if (lastOpen.size >= REMEMBERED_MAX) lastOpen.clear();
  lastOpen.set(key, open._id.toHexString());
  return open;
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
