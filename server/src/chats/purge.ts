import type { Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { ChatModel, MessageModel, NoteModel, RemovalModel } from './model.ts';

/** Removes all chats, messages and notes of a deleted site. */
export async function purgeChats(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(MessageModel, { site }, signal);
  await deleteInBatches(NoteModel, { site }, signal);
  await deleteInBatches(ChatModel, { site }, signal);
  await deleteInBatches(RemovalModel, { site }, signal);
}
