import { model, Schema, type Types } from 'mongoose';

/**
 * That a word stands in a chat: in a message, or in its visitor's name or e-mail. Written once and never changed: a
 * chat's place in the order of its word is its age, so that new messages move nothing.
 */
export interface PostingDoc {
  /** `{chat}:{word}`: writing it again changes nothing, and a chat's words lie side by side. */
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
postingSchema.index({ site: 1, word: 1, chat: -1 });
export const PostingModel = model<PostingDoc>('Posting', postingSchema, 'postings');

/** How far a background reader of the messages has got: everything stored before that moment is done. */
export interface MarkDoc {
  _id: string;
  at: Date;
}

const markSchema = new Schema<MarkDoc>(
  { _id: { type: String, required: true }, at: { type: Date, required: true } },
  { versionKey: false },
);
export const MarkModel = model<MarkDoc>('Mark', markSchema, 'marks');

export const postingId = (chat: string, word: string) => `${chat}:${word}`;

/** Comes after every word that begins with a prefix. */
const BEHIND_ALL = '\u{10FFFF}';

/** The range of all strings that begin with `prefix`. */
export const beginningWith = (prefix: string) => ({ $gte: prefix, $lt: `${prefix}${BEHIND_ALL}` });

/** Takes a chat out of the index. */
export async function forgetChat(chat: string): Promise<void> {
  await PostingModel.deleteMany({ _id: beginningWith(postingId(chat, '')) });
}

/** Removes a deleted site's part of the index. */
export async function purgeSearch(site: Types.ObjectId): Promise<void> {
  await PostingModel.deleteMany({ site });
}
