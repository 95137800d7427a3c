import type { Types } from 'mongoose';
import { conflict, duplicateKey, unavailable } from '../http/errors.ts';
import { type MessageDoc, MessageModel } from './model.ts';

/** A message before it has its place in the chat. */
export type Draft = Omit<MessageDoc, '_id' | 'seq'> & Partial<Pick<MessageDoc, '_id'>>;

/** The stored message, and whether this call stored it. */
export interface Appended {
  message: MessageDoc;
  isNew: boolean;
}

/** More writers than this at once on one chat, and the sender is asked to try again. */
const TRIES_MAX = 50;

/** The chat's newest message; null: none yet. */
export function newestMessage(chat: Types.ObjectId): Promise<MessageDoc | null> {
  return MessageModel.findOne({ chat }).sort({ seq: -1 }).lean<MessageDoc>().exec();
}

/**
 * Adds a message at the end of its chat. One insert under two unique indexes is the whole commit: `(chat, seq)` makes
 * the numbers dense, `(senderKey, clientId)` makes a retry answer the message that the first try stored.
 * @returns null when the chat was closed before, and the draft is not stored
 * @throws AppError 409 `ID_CONFLICT` when the sender used this `clientId` for another text
 */
export async function append(draft: Draft): Promise<Appended | null> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const newest = await newestMessage(draft.chat);
    if (newest?.event === 'closed') return findSent(draft.senderKey, draft);
    try {
      const message = new MessageModel({ ...draft, seq: (newest?.seq ?? 0) + 1 });
      await message.save();
      return { message: message.toObject(), isNew: true };
    } catch (error) {
      const keys = duplicateKey(error);
      if (!keys) throw error;
      // A file's message has the file's id: a retry meets that one first.
      const isRetry = keys.includes('clientId') || keys.includes('_id');
      const earlier = isRetry ? await findSent(draft.senderKey, draft) : null;
      if (earlier) return earlier;
    }
  }
  throw unavailable();
}

/**
 * What an earlier try with this `clientId` stored, in whatever chat; null: nothing.
 * @throws AppError 409 `ID_CONFLICT` when it was another text or file
 */
export async function findSent(
  senderKey: string,
  { clientId, content, file }: Pick<Draft, 'clientId' | 'content'> & { file?: { digest: string } | undefined },
): Promise<Appended | null> {
  const message = await MessageModel.findOne({ senderKey, clientId: clientId.toLowerCase() }).lean<MessageDoc>();
  if (!message) return null;
  const isSame = file ? message.file?.digest === file.digest : !message.file && message.content === content;
  if (!isSame) throw conflict('ID_CONFLICT', 'This message id was used for another text.');
  return { message, isNew: false };
}
