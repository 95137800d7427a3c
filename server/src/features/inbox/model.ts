import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import type { InboxFilter } from './contract.ts';

/** A saved view as stored. */
export interface ViewDoc extends Omit<InboxFilter, 'siteId'> {
  _id: Types.ObjectId;
  name: string;
  site?: Types.ObjectId;
}

/** All saved views of a user, in their order. */
export interface SavedViewsDoc {
  /** The user's id. */
  _id: Types.ObjectId;
  views: ViewDoc[];
  /** Increases with every change, for optimistic locking. */
  rev: number;
}

const viewSchema = new Schema<ViewDoc>({
  name: { type: String, required: true },
  status: { type: String },
  site: { type: Schema.Types.ObjectId },
  claimedBy: { type: String },
  unread: { type: String },
  tag: { type: String },
  department: { type: String },
  sort: { type: String },
});
const savedViewsSchema = new Schema<SavedViewsDoc>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    views: { type: [viewSchema], required: true },
    rev: { type: Number, required: true },
  },
  { versionKey: false },
);
savedViewsSchema.index({ 'views.site': 1 });
export const SavedViewsModel = defineModel<SavedViewsDoc>('SavedViews', savedViewsSchema, 'savedViews');

/** Removes the saved views of a deleted site. */
export async function purgeViews(site: Types.ObjectId): Promise<void> {
  await SavedViewsModel.updateMany({ 'views.site': site }, { $pull: { views: { site } }, $inc: { rev: 1 } });
}
