import type { Types } from 'mongoose';
import { BY_WORD, beginningWith, type ChatWordsDoc, ChatWordsModel } from './model.ts';

/**
 * The index for reading a few chats by their ids; named because a database may pick another that suits the other
 * conditions.
 */
export const BY_ID = { _id: 1 } as const;

/** The filter of `nextWord`: chats with a word in a range. With `$elemMatch`, both bounds are those of one word, and of the index. */
export const wordsBetween = (
  site: Types.ObjectId,
  range: { $gte: string; $lt: string } | { $gt: string; $lt: string },
) => ({
  site,
  words: { $elemMatch: range },
});

/** The filter of `chatsWith`: one range of the index. */
export const wordFilter = (site: Types.ObjectId, word: string, before?: Types.ObjectId) => ({
  site,
  words: word,
  ...(before ? { _id: { $lt: before } } : {}),
});

/** The order in which databases sort strings. */
export const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/**
 * The first word in use on a site that begins with a prefix, in the order of code points.
 * @param after only words after this one
 * @returns null: there is none
 */
export async function nextWord(
  site: Types.ObjectId,
  prefix: string,
  after: string | undefined,
): Promise<string | null> {
  const { $gte, $lt } = beginningWith(prefix);
  const from = after === undefined ? { $gte } : { $gt: after };
  const isBehind = (word: string) => word.startsWith(prefix) && (after === undefined || byCodePoint(word, after) > 0);
  // Databases promise no order that was not asked for, and a sort would be by each chat's first word of all. So each word that is
  // found is an upper bound of the next query, until there is none below. Where the index is read in its order, the first is it.
  let next: string | null = null;
  for (;;) {
    const doc: ChatWordsDoc | null = await ChatWordsModel.findOne(wordsBetween(site, { ...from, $lt: next ?? $lt }))
      .hint(BY_WORD)
      .lean<ChatWordsDoc>();
    const [least]: string[] = doc?.words.filter(isBehind).sort(byCodePoint) ?? [];
    if (least === undefined) return next;
    next = least;
  }
}

/** The next chats of a site that contain a word, latest begun first. @param before only chats begun before this one */
export async function chatsWithWord(
  site: Types.ObjectId,
  word: string,
  before: Types.ObjectId | undefined,
  limit: number,
): Promise<Types.ObjectId[]> {
  const found = await ChatWordsModel.find(wordFilter(site, word, before), { _id: 1 })
    .sort({ _id: -1 })
    .hint(BY_WORD)
    .limit(limit)
    .lean<ChatWordsDoc[]>();
  return found.map(({ _id }) => _id);
}

/** Which of these chats contain one of these words. */
export const holding = (chats: Types.ObjectId[], words: string[]): Promise<Types.ObjectId[]> =>
  chatsOf(chats, { $in: words });

/** Which of these chats contain a word with this beginning. */
export const holdingPrefix = (chats: Types.ObjectId[], prefix: string): Promise<Types.ObjectId[]> =>
  chatsOf(chats, { $elemMatch: beginningWith(prefix) });

async function chatsOf(chats: Types.ObjectId[], words: object): Promise<Types.ObjectId[]> {
  const found = await ChatWordsModel.find({ _id: { $in: chats }, words }, { _id: 1 })
    .hint(BY_ID)
    .lean<ChatWordsDoc[]>();
  return found.map(({ _id }) => _id);
}
