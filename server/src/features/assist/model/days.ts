import { Schema, Types } from 'mongoose';
import { defineModel } from '#platform/database';
import { duplicateKey } from '#platform/http';
import { withRetries } from '#platform/time';
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
  /** Chats that were given to people, by the reason. */
  handedOver?: Record<string, number>;
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
    handedOver: { type: Schema.Types.Mixed },
    tokens: { type: Number },
    accepted: { type: Number },
  },
  { versionKey: false },
);
daySchema.index({ site: 1, day: 1 }, { unique: true });
const AssistDayModel = defineModel<AssistDayDoc>('AssistDay', daySchema, 'assistDays');

/** By how much figures of a site grow. */
export interface AssistGrowth {
  answered?: number;
  helped?: number;
  /** The reason of one chat that was given to people. */
  handedOver?: string;
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
  const add = () => AssistDayModel.updateOne(key, { $inc }, { upsert: true });
  // Two first ones of a day meet at the unique index.
  await withRetries(add, { delaysMs: [0], isRetryable: (error) => duplicateKey(error) !== null });
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
