import { perServer } from '../scope.ts';
import type { ChatText, WordSource } from './model.ts';
import { beginningWith, type PostingDoc, PostingModel } from './model.ts';

/** Old entries that one step moves. */
const STEP = 500;
const NO_SUCH_COLLECTION = 26;

/**
 * Parley kept a document for each word of each chat before it kept one for each chat. What there is of them is moved in
 * the background; until that is done, words are looked up in both.
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

/** Whether there may be old entries: from each start on, until none are found. */
export const arePostingsLeft = () => old().mayBeLeft;

/** Has old entries looked for anew. */
export function expectPostings(): void {
  old().mayBeLeft = true;
}

/**
 * Moves some old entries: first their words stand in the new place, then they go from the old one, so that it can end at
 * any point and be done again. Once there are none, their collection goes.
 */
export async function movePostings(write: (texts: ChatText[]) => Promise<void>): Promise<void> {
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

/** Takes what is left of a chat in the old place away. */
export async function forgetPostings(chat: string): Promise<void> {
  if (old().mayBeLeft) await PostingModel.deleteMany({ _id: beginningWith(postingId(chat, '')) });
}

const postingId = (chat: string, word: string) => `${chat}:${word}`;
