import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { type ChatDoc, ChatModel } from '#features/chats';
import { deleteInBatches, findByIds, sendWrites } from '#platform/database';
import type { ChatText } from './model.ts';
import { type ChatWordsDoc, ChatWordsModel } from './model.ts';

/** Chats that one command removes with all their words. */
const PURGE_BATCH = 50;

/** Removes a chat from the index. */
export async function forgetChat(chat: string): Promise<void> {
  await ChatWordsModel.deleteOne({ _id: chat });
}

/** Removes a deleted site from the index. */
export async function purgeSearch(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(ChatWordsModel, { site }, signal, PURGE_BATCH);
}

/**
 * Distinct words that one chat's messages are indexed by. It bounds a chat's cost in the index, however long it goes on.
 */
export const CHAT_WORDS_MAX = 2_000;
/** Additional room for the visitor's names and e-mails, which may come last. */
const PERSON_WORDS_MAX = 100;

/**
 * Adds the words that chats are not indexed by yet. A chat that was deleted meanwhile is removed from the index again.
 */
export async function addWords(texts: ChatText[]): Promise<number> {
  const ids = texts.map(({ chat }) => chat);
  const stored = await findByIds<ChatWordsDoc>(ChatWordsModel.collection.name, ids);
  const held = new Map(stored.map(({ _id, words }) => [_id.toHexString(), words]));
  const added = texts.flatMap((text) => {
    const words = missing(text, held.get(text.chat.toHexString()) ?? []);
    return words.length > 0 ? { ...text, words } : [];
  });
  if (added.length === 0) return 0;
  // `$push` and not `$addToSet`: duplicates are removed above, and the database would compare every pair.
  const updates = added.map(({ chat, site, words }) => {
    const update = { $setOnInsert: { site }, $push: { words: { $each: words } } };
    return { q: { _id: chat }, u: update, upsert: true };
  });
  // With the rows of the same tick, this becomes one transaction of the store.
  await nextTurn();
  const { writeErrors } = await sendWrites({ update: ChatWordsModel.collection.name, updates });
  if (writeErrors[0]) throw new Error(`The words of a chat are not stored: ${writeErrors[0].errmsg}`);
  await forgetDeleted(added.map(({ chat }) => chat));
  return added.length;
}

/** The words of a text that its chat lacks, as many as there is room for. */
function missing({ words, personWords }: ChatText, stored: string[]): string[] {
  const held = new Set(stored);
  const before = held.size;
  const add = (more: Iterable<string>, most: number) => {
    for (const word of more) if (held.size < most) held.add(word);
  };
  add(words, CHAT_WORDS_MAX);
  add(personWords, CHAT_WORDS_MAX + PERSON_WORDS_MAX);
  return [...held].slice(before);
}

async function forgetDeleted(chats: Types.ObjectId[]): Promise<void> {
  const alive = await findByIds<ChatDoc>(ChatModel.collection.name, chats);
  const left = new Set(alive.map(({ _id }) => _id.toHexString()));
  for (const chat of chats) if (!left.has(chat.toHexString())) await forgetChat(chat.toHexString());
}
