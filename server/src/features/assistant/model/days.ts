import { Schema, Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { duplicateKey } from '#platform/http';
import { withRetries } from '#platform/time';
import type { HandOverReason } from '../contract.ts';
import { utcDay } from './budget.ts';

/** What the assistant did for one site on one UTC day. */
export interface AssistDayDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** Such as `2026-05-31`. */
  day: string;
  /** Answers to visitors, and those that helped them. */
  answered?: number;
  helped?: number;
  notHelped?: number;
  /** Chats that were given to people, by the reason. */
  handedOver?: Partial<Record<HandOverReason, number>>;
  /** What calls have used, and what those in progress may use. */
  tokens?: number;
  /** Suggestions that agents have sent as they were. */
  accepted?: number;
}

const daySchema = new Schema<AssistDayDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    day: { type: String, required: true },
    answered: { type: Number },
    helped: { type: Number },
    notHelped: { type: Number },
    handedOver: { type: Schema.Types.Mixed },
    tokens: { type: Number },
    accepted: { type: Number },
  },
  { versionKey: false },
);
daySchema.index({ site: 1, day: 1 }, { unique: true });
export const AssistDayModel = defineModel<AssistDayDoc>('AssistDay', daySchema, 'assistDays');

/** By how much figures of a site grow. */
export interface AssistGrowth {
  answered?: number;
  helped?: number;
  notHelped?: number;
  /** The reason of one chat that was given to people. */
  handedOver?: HandOverReason;
  tokens?: number;
  accepted?: number;
}

/** Adds to the figures of a site, on the day of this time. */
export async function countAssist(
  siteId: string | Types.ObjectId,
  growth: AssistGrowth,
  at = Date.now(),
): Promise<void> {
  const { handedOver, ...more } = growth;
  const $inc = { ...more, ...(handedOver !== undefined && { [`handedOver.${handedOver}`]: 1 }) };
  const key = { site: new Types.ObjectId(siteId), day: utcDay(at) };
  await upsert(key, { $inc });
}

/**
 * Sets tokens of a site aside, in one guarded write, before they are used.
 * @returns whether as many are left of the day's
 */
export async function reserveOfSite(site: Types.ObjectId, tokens: number, max: number, day: string): Promise<boolean> {
  if (tokens > max) return false;
  const key = { site, day };
  await upsert(key, { $setOnInsert: { tokens: 0 } });
  // A day that began with another figure has none of tokens yet.
  const isLeft = { $or: [{ tokens: { $lte: max - tokens } }, { tokens: null }] };
  const { modifiedCount } = await AssistDayModel.updateOne({ ...key, ...isLeft }, { $inc: { tokens } });
  return modifiedCount > 0;
}

async function upsert(key: Pick<AssistDayDoc, 'site' | 'day'>, update: object): Promise<void> {
  const write = () => AssistDayModel.updateOne(key, update, { upsert: true });
  // Two first ones of a day meet at the unique index.
  await withRetries(write, { delaysMs: [0], isRetryable: (error) => duplicateKey(error) !== null });
}

/** The figures of a site from one day to another, both included, oldest first. */
export async function assistDays(siteId: string | Types.ObjectId, from: string, to: string): Promise<AssistDayDoc[]> {
  const days = { site: new Types.ObjectId(siteId), day: { $gte: from, $lte: to } };
  return AssistDayModel.find(days).sort({ day: 1 }).lean<AssistDayDoc[]>();
}

/** Removes the figures of a deleted site. */
export async function purgeAssistDays(site: Types.ObjectId): Promise<void> {
  await AssistDayModel.deleteMany({ site });
}
