import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';

/** How long tombstones of deleted chats are kept, in seconds: dashboards that were offline learn of the deletion by `sync`. */
export const REMOVAL_KEPT_S = 7 * 86_400;

/**
 * Tombstone of a deleted chat, under the chat's id. It is written before anything is removed, so that the deletion can
 * be finished after a crash.
 */
export interface RemovalDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  bot: boolean;
  at: Date;
  /** Set until all data of the chat is removed. */
  pending?: boolean;
  /** When the last data was removed. */
  doneAt?: Date;
  /** Set until the figures no longer count the chat. */
  uncounted?: Types.ObjectId;
}

const removalSchema = new Schema<RemovalDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    bot: { type: Boolean, required: true },
    at: { type: Date, required: true },
    pending: { type: Boolean },
    doneAt: { type: Date },
    uncounted: { type: Schema.Types.ObjectId },
  },
  { versionKey: false },
);
removalSchema.index({ site: 1, bot: 1, at: 1 });
removalSchema.index({ pending: 1, _id: 1 }, { partialFilterExpression: { pending: true } });
removalSchema.index({ uncounted: 1 }, { partialFilterExpression: { uncounted: { $exists: true } } });
removalSchema.index({ doneAt: 1 }, { expireAfterSeconds: REMOVAL_KEPT_S });
export const RemovalModel = defineModel<RemovalDoc>('Removal', removalSchema, 'removals');
