import { perServer } from '../scope.ts';
import type { ChatText, WordSource } from './model.ts';
import { beginningWith, type PostingDoc, PostingModel } from './model.ts';

/** Old entries that one step moves. */
const STEP = 500;
const NO_SUCH_COLLECTION = 26;

/**
 * The older index, with a document for each word of each chat; now there is one for each chat. What is left of it is
 * moved in the background, and until that is done words are looked up in both.
 */
export const postings: WordSource = {
  async nextWord(site, prefix, after) {
    const range = { ...beginningWith(prefix), ...(after === undefined ? {} : { $gt: after }) };
    const next = await PostingModel.findOne({ site, word: range }).sort({ word: 1 }).lean<PostingDoc>();
    return next?.word ?? null;
  },

  async chatsWith(site, word, before, limit) {
    const found = await PostingModel.find({ site, word, ...(before ? { chat: { $lt: before } } : {}) }, { chat: 1 })
      .sort({ chat: -1 })
      .limit(limit)
      .lean<PostingDoc[]>();
    return found.map(({ chat }) => chat);
  },

  async holding(chats, words) {
    const ids = chats.flatMap((chat) => words.map((word) => postingId(chat.toHexString(), word)));
    const found = await PostingModel.find({ _id: { $in: ids } }, { chat: 1 }).lean<PostingDoc[]>();
    return found.map(({ chat }) => chat);
  },

  async holdingPrefix(chats, prefix) {
    const found = await Promise.all(
      chats.map((chat) => PostingModel.exists({ _id: beginningWith(postingId(chat.toHexString(), prefix)) })),
    );
    return chats.filter((_, i) => found[i]);
  },
};

const old = perServer(() => ({ mayBeLeft: true }));

/** Whether there may be old entries: true from each start on, until none are found. */
export const arePostingsLeft = () => old().mayBeLeft;

/** Makes the next step look for old entries again. */
export function expectPostings(): void {
  old().mayBeLeft = true;
}

/**
 * Moves some old entries: their words are first written to the new place and then removed from the old one. That makes it
 * idempotent: it can be interrupted at any point and repeated. When none are left, the old collection is dropped.
 */
export async function movePostings(write: (texts: ChatText[]) => Promise<unknown>): Promise<void> {
  const moved = await PostingModel.find().sort({ _id: 1 }).limit(STEP).lean<PostingDoc[]>();
  if (moved.length === 0) {
    await PostingModel.collection.drop().catch((error) => {
      if (error.code !== NO_SUCH_COLLECTION) throw error;
    });
    old().mayBeLeft = false;
    return;
  }
  const byChat = new Map<string, ChatText>();
  for (const { chat, site, word } of moved) {
    const text = byChat.get(chat.toHexString()) ?? { chat, site, words: new Set(), personWords: [] };
    byChat.set(chat.toHexString(), text);
    text.words.add(word);
  }
  await write([...byChat.values()]);
  await PostingModel.deleteMany({ _id: { $in: moved.map(({ _id }) => _id) } });
}

/** Removes what is left of a chat in the old place. */
export async function forgetPostings(chat: string): Promise<void> {
  if (old().mayBeLeft) await PostingModel.deleteMany({ _id: beginningWith(postingId(chat, '')) });
}

const postingId = (chat: string, word: string) => `${chat}:${word}`;
