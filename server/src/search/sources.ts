import type { Types } from 'mongoose';
import type { WordSource } from './model.ts';
import { BY_WORD, beginningWith, type ChatWordsDoc, ChatWordsModel } from './model.ts';
import { arePostingsLeft, postings } from './postings.ts';

/** Where words are to be looked up now. While an older index is moved, a chat may have some of its words in each place. */
export const wordSources = (): WordSource[] => (arePostingsLeft() ? [chatWords, postings] : [chatWords]);

/** A few chats are read by their ids, however many indexes the other conditions would suit. */
export const BY_ID = { _id: 1 } as const;

/** The filter behind `nextWord`. It has no end: engines use one edge only where a field is an array. */
export const wordsFrom = (site: Types.ObjectId, prefix: string, after?: string) => ({
  site,
  words: after === undefined ? { $gte: prefix } : { $gt: after },
});

/** The filter behind `chatsWith`: one range of the index. */
export const wordFilter = (site: Types.ObjectId, word: string, before?: Types.ObjectId) => ({
  site,
  words: word,
  ...(before ? { _id: { $lt: before } } : {}),
});

/** The order in which engines keep strings. */
export const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const chatWords: WordSource = {
  async nextWord(site, prefix, after) {
    // The first entry of the index from there on: it is this chat's first word from there on, if that still begins so.
    const doc = await ChatWordsModel.findOne(wordsFrom(site, prefix, after))
      .hint(BY_WORD)
      .lean<ChatWordsDoc>();
    const words = doc?.words.filter((word) => word.startsWith(prefix)) ?? [];
    const behind = after === undefined ? words : words.filter((word) => byCodePoint(word, after) > 0);
    return behind.sort(byCodePoint)[0] ?? null;
  },

  async chatsWith(site, word, before, limit) {
    const found = await ChatWordsModel.find(wordFilter(site, word, before), { _id: 1 })
      .hint(BY_WORD)
      .limit(limit)
      .lean<ChatWordsDoc[]>();
    return found.map(({ _id }) => _id);
  },

  holding: (chats, words) => chatsOf(chats, { $in: words }),

  holdingPrefix: (chats, prefix) => chatsOf(chats, { $elemMatch: beginningWith(prefix) }),
};

async function chatsOf(chats: Types.ObjectId[], words: object): Promise<Types.ObjectId[]> {
  const found = await ChatWordsModel.find({ _id: { $in: chats }, words }, { _id: 1 })
    .hint(BY_ID)
    .lean<ChatWordsDoc[]>();
  return found.map(({ _id }) => _id);
}
