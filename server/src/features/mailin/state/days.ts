import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { duplicateKey } from '#platform/http';
import { DAY_S, withRetries } from '#platform/time';
import type { MailDoor, MailOutcome, MailRefusal } from '../contract.ts';

const KEPT_DAYS = 30;
const DAY_LENGTH = '2026-05-31'.length;

/** What came in by mail on one UTC day. */
export interface MailInDayDoc {
  /** Such as `2026-05-31`. */
  _id: string;
  at: Date;
  added?: number;
  later?: number;
  refused?: Partial<Record<MailRefusal, number>>;
  /** When the last mail came, by the door. */
  lastMailAt?: Partial<Record<MailDoor, Date>>;
}

const daySchema = new Schema<MailInDayDoc>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    added: { type: Number },
    later: { type: Number },
    refused: { type: Schema.Types.Mixed },
    lastMailAt: { type: Schema.Types.Mixed },
  },
  { versionKey: false },
);
daySchema.index({ at: 1 }, { expireAfterSeconds: KEPT_DAYS * DAY_S });
const MailInDayModel = defineModel<MailInDayDoc>('MailInDay', daySchema, 'mailindays');

/** The ends that are counted; the others are no mails of people. */
const COUNTED = /^(added|later|refused\.\w+)$/;

/** @param at in milliseconds */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, DAY_LENGTH);

/** Counts a mail on the day of this time. */
export async function countMailIn(door: MailDoor, outcome: MailOutcome, at: number): Promise<void> {
  const field = outcome.end === 'refused' ? `refused.${outcome.reason}` : outcome.end;
  const write = () =>
    MailInDayModel.updateOne(
      { _id: dayOf(at) },
      {
        $setOnInsert: { at: new Date(at) },
        $set: { [`lastMailAt.${door}`]: new Date(at) },
        ...(COUNTED.test(field) && { $inc: { [field]: 1 } }),
      },
      { upsert: true },
    );
  // Two first mails of a day meet at its id.
  await withRetries(write, { delaysMs: [0], isRetryable: (error) => duplicateKey(error) !== null });
}

/** The days that are kept, newest first. */
export async function mailInDays(): Promise<MailInDayDoc[]> {
  return MailInDayModel.find().sort({ _id: -1 }).limit(KEPT_DAYS).lean<MailInDayDoc[]>();
}
