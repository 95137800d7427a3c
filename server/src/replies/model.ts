import { Schema, type Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { defineModel } from '../connection.ts';

/** A canned reply as stored. */
export interface ReplyDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  shortcut: string;
  content: string;
}

const replySchema = new Schema<ReplyDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    shortcut: { type: String, required: true },
    content: { type: String, required: true },
  },
  { versionKey: false },
);
replySchema.index({ site: 1, shortcut: 1 }, { unique: true });
export const ReplyModel = defineModel<ReplyDoc>('Reply', replySchema, 'replies');

/** Removes all canned replies of a deleted site. */
export async function purgeReplies(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(ReplyModel, { site }, signal);
}
