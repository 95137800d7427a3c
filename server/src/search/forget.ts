import type { Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { ChatWordsModel, PostingModel } from './model.ts';
import { forgetPostings } from './postings.ts';

/** Chats with all their words that one command removes. */
const PURGE_BATCH = 50;

/** Takes a chat out of the index. What is being moved goes first: it could come back otherwise. */
export async function forgetChat(chat: string): Promise<void> {
  await forgetPostings(chat);
  await ChatWordsModel.deleteOne({ _id: chat });
}

/** Removes a deleted site's part of the index. */
export async function purgeSearch(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(PostingModel, { site }, signal);
  await deleteInBatches(ChatWordsModel, { site }, signal, PURGE_BATCH);
}
