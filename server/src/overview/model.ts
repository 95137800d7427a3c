import { Schema, Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { defineModel } from '../connection.ts';

/** Under this day stand the figures of all time. */
export const ALL_TIME = 'all';
/** Under this id stand the figures of all sites together, deleted ones included. */
export const ALL_SITES = new Types.ObjectId('0'.repeat(24));

/**
 * The figures of one site, or of all, on one UTC day, counted up as things happen, so that no call ever counts chats. Whoever reads
 * them for another time zone puts its days together from half hours, by which every zone but a handful is off UTC.
 */
export interface FigureDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** Like `2026-05-31`, or `all` */
  day: string;
  /** Chats, and chats with a visitor name: of all time only. */
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
