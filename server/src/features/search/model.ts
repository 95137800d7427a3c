import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';

/**
 * The words that a chat is found by: those of its messages, and of its visitor's name and e-mail. Words are only removed
 * when an author corrects or deletes a message.
 */
export interface ChatWordsDoc {
  /** The chat's id. */
  _id: Types.ObjectId;
  site: Types.ObjectId;
  words: string[];
}

const chatWordsSchema = new Schema<ChatWordsDoc>(
  { site: { type: Schema.Types.ObjectId, required: true }, words: { type: [String], required: true } },
  { versionKey: false },
);
/** The index from a word of a site to its chats, latest begun first. Look-ups name it, and one word or one beginning at a time. */
export const BY_WORD = { site: 1, words: 1, _id: -1 } as const;
chatWordsSchema.index(BY_WORD);
export const ChatWordsModel = defineModel<ChatWordsDoc>('ChatWords', chatWordsSchema, 'chatWords');

/** The progress of a background reader of the messages: everything stored before that moment is done. */
export interface ProgressDoc {
  _id: string;
  at: Date;
}

const markSchema = new Schema<ProgressDoc>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false },
);
export const ProgressModel = defineModel<ProgressDoc>('Mark', markSchema, 'marks');

/** Sorts after every character, so that a prefix with it comes after every word with that prefix. */
const BEHIND_ALL = '\u{10FFFF}';

/** The range of all strings that begin with `prefix`. */
export const beginningWith = (prefix: string) => ({ $gte: prefix, $lt: `${prefix}${BEHIND_ALL}` });

/** Words to be indexed for a chat. */
export interface ChatText {
  chat: Types.ObjectId;
  site: Types.ObjectId;
  words: Set<string>;
  /** The words of the visitor's name and e-mail. */
  personWords: string[];
}
