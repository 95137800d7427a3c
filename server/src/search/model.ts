import { Schema, type Types } from 'mongoose';
import { defineModel } from '../connection.ts';

/** The words that a chat is found by: those of its messages, and of its visitor's name and e-mail. Words are only added. */
export interface ChatWordsDoc {
  /** The chat's. */
  _id: Types.ObjectId;
  site: Types.ObjectId;
  words: string[];
}

const chatWordsSchema = new Schema<ChatWordsDoc>(
  { site: { type: Schema.Types.ObjectId, required: true }, words: { type: [String], required: true } },
  { versionKey: false },
);
/**
 * A word of a site leads to its chats, latest begun first. Look-ups name this index and one word (or one beginning) at a
 * time: the keys then come in the order that is wanted, and no engine has to work out whether an array lets it keep one.
 */
export const BY_WORD = { site: 1, words: 1, _id: -1 } as const;
chatWordsSchema.index(BY_WORD);
export const ChatWordsModel = defineModel<ChatWordsDoc>('ChatWords', chatWordsSchema, 'chatWords');

/**
 * A word of a chat as Parley kept it before it kept them by chat. `postings.ts` moves what is there; nothing is added.
 */
export interface PostingDoc {
  /** `{chat}:{word}` */
  _id: string;
  site: Types.ObjectId;
  word: string;
  chat: Types.ObjectId;
}

const postingSchema = new Schema<PostingDoc>(
  {
    _id: { type: String, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    word: { type: String, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
  },
  { versionKey: false },
);
export const PostingModel = defineModel<PostingDoc>('Posting', postingSchema, 'postings');

/** How far a background reader of the messages has got: everything stored before that moment is done. */
export interface MarkDoc {
  _id: string;
  at: Date;
}

const markSchema = new Schema<MarkDoc>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false },
);
export const MarkModel = defineModel<MarkDoc>('Mark', markSchema, 'marks');

/** Comes after every word that begins with a prefix. */
const BEHIND_ALL = '\u{10FFFF}';

/** The range of all strings that begin with `prefix`. */
export const beginningWith = (prefix: string) => ({ $gte: prefix, $lt: `${prefix}${BEHIND_ALL}` });

/** Where words are looked up. */
export interface WordSource {
  /**
   * The first word in use on a site that begins with a prefix, by the order of code points; null: there is none.
   * @param after it comes after this one
   */
  nextWord(site: Types.ObjectId, prefix: string, after: string | undefined): Promise<string | null>;
  /**
   * The next chats of a site that hold a word, latest begun first.
   * @param before they have begun before this one
   */
  chatsWith(
    site: Types.ObjectId,
    word: string,
    before: Types.ObjectId | undefined,
    limit: number,
  ): Promise<Types.ObjectId[]>;
  /** Which of these chats hold one of these words. */
  holding(chats: Types.ObjectId[], words: string[]): Promise<Types.ObjectId[]>;
  /** Which of these chats hold a word with this beginning. */
  holdingPrefix(chats: Types.ObjectId[], prefix: string): Promise<Types.ObjectId[]>;
}

/** Words that a chat is to be found by. */
export interface ChatText {
  chat: Types.ObjectId;
  site: Types.ObjectId;
  words: Set<string>;
  /** Of the visitor's name and e-mail. */
  personWords: string[];
}
