import { Schema, Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { defineModel } from '../connection.ts';

/** The value of `day` for the figures of all time. */
export const ALL_TIME = 'all';
/** The value of the site for the figures of all sites together, deleted ones included. */
export const ALL_SITES = new Types.ObjectId('0'.repeat(24));

/**
 * The figures of one site, or of all, on one UTC day. They are counters that grow with each event, so no request ever counts
 * chats. Days of another time zone are added up from half hours, because all but a few zones differ from UTC by a multiple
 * of 30 minutes.
 */
export interface FigureDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** Such as `2026-05-31`, or `all`. */
  day: string;
  /** The number of chats, and of those with a visitor's name. Only in the figures of all time. */
  chats?: number;
  named?: number;
  /** Chats begun, by half hour (`h37`). */
  begun?: Record<string, number>;
  /** First responses, by half hour and then by the bucket of their duration (`b12`). */
  answered?: Record<string, Record<string, number>>;
}

const figureSchema = new Schema<FigureDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    day: { type: String, required: true },
    chats: { type: Number },
    named: { type: Number },
    begun: { type: Schema.Types.Mixed },
    answered: { type: Schema.Types.Mixed },
  },
  { versionKey: false },
);
figureSchema.index({ site: 1, day: 1 }, { unique: true });
export const FigureModel = defineModel<FigureDoc>('Figure', figureSchema, 'figures');

/** Removes the figures of a deleted site. */
export async function purgeFigures(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(FigureModel, { site }, signal);
}
