import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { type ListedFile, listedFiles } from '#platform/files';

/** A canned reply as stored. */
export interface ReplyDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** The member whose personal one it is; absent: it is the whole team's. */
  owner?: Types.ObjectId;
  shortcut: string;
  content: string;
  files?: ListedFile[];
}

const replySchema = new Schema<ReplyDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    owner: { type: Schema.Types.ObjectId },
    shortcut: { type: String, required: true },
    content: { type: String, required: true },
    files: listedFiles,
  },
  { versionKey: false },
);
replySchema.index({ site: 1, owner: 1, shortcut: 1 }, { unique: true });
replySchema.index({ owner: 1 }, { partialFilterExpression: { owner: { $exists: true } } });
replySchema.index({ 'files._id': 1 }, { partialFilterExpression: { files: { $exists: true } } });
export const ReplyModel = defineModel<ReplyDoc>('Reply', replySchema, 'replies');
