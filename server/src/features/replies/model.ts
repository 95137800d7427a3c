import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import type { MessageFile } from '#platform/files';

/** A file of a canned reply; `_id` is that of the stored file. */
export interface ReplyFile extends MessageFile {
  _id: Types.ObjectId;
  at: Date;
}

/** A canned reply as stored. */
export interface ReplyDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** The member whose personal one it is; absent: it is the whole team's. */
  owner?: Types.ObjectId;
  shortcut: string;
  content: string;
  files?: ReplyFile[];
}

const replySchema = new Schema<ReplyDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    owner: { type: Schema.Types.ObjectId },
    shortcut: { type: String, required: true },
    content: { type: String, required: true },
    files: {
      type: [
        {
          _id: Schema.Types.ObjectId,
          key: String,
          name: String,
          mime: String,
          size: Number,
          width: Number,
          height: Number,
          digest: String,
          at: Date,
        },
      ],
      default: undefined,
    },
  },
  { versionKey: false },
);
replySchema.index({ site: 1, owner: 1, shortcut: 1 }, { unique: true });
replySchema.index({ owner: 1 }, { partialFilterExpression: { owner: { $exists: true } } });
replySchema.index({ 'files._id': 1 }, { partialFilterExpression: { files: { $exists: true } } });
export const ReplyModel = defineModel<ReplyDoc>('Reply', replySchema, 'replies');
