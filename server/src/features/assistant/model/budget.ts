import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { events } from '#platform/events';
import { AppError, sentence } from '#platform/http';
import { DAY_MS, DAY_S, SECOND_MS } from '#platform/time';

/** The percentage of a day's tokens at which platform admins are told. */
export const WARNED_AT_PERCENT = 80;
const KEPT_S = 90 * DAY_S;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** The tokens of all sites together on one UTC day. */
interface BudgetDayDoc {
  /** Such as `2026-05-31`. */
  _id: string;
  at: Date;
  /** What calls have used, and what those in progress may use. */
  spent: number;
}

const budgetSchema = new Schema<BudgetDayDoc>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    spent: { type: Number, required: true },
  },
  { versionKey: false },
);
budgetSchema.index({ at: 1 }, { expireAfterSeconds: KEPT_S });
const BudgetDayModel = defineModel<BudgetDayDoc>('AssistBudgetDay', budgetSchema, 'assistBudgetDays');

/** A part of the budget that one call may use. */
export interface Reservation {
  day: string;
  tokens: number;
}

/** How much of today's tokens is spent. */
export interface BudgetUse {
  spent: number;
  /** null: the operator has set no bound. */
  max: number | null;
}

/** The tokens that the model may use a day, for the whole server. */
export interface Budget {
  /** @throws AppError 429 `BUDGET_SPENT` where less than this is left today */
  reserve(tokens: number): Promise<Reservation>;
  /** Replaces a reservation by what its call has used. */
  settle(reservation: Reservation, used: number): Promise<void>;
  today(): Promise<BudgetUse>;
}

/** The UTC day of a time, such as `2026-05-31`. */
export const utcDay = (at: number) => new Date(at).toISOString().slice(0, DAY_LENGTH);

/** 429: nothing is left of a day's tokens. */
export function budgetSpent(at: number): AppError {
  const retryAfter = Math.ceil((DAY_MS - (at % DAY_MS)) / SECOND_MS);
  const text = sentence('The assistant has used up its tokens for today. It works again tomorrow.');
  return new AppError(429, 'BUDGET_SPENT', text, { retryAfter });
}

/**
 * Makes the budget. A call reserves the most that it can use before it is made, in one guarded write, so calls at the same time
 * and on several nodes cannot exceed the budget together. What a process that dies has reserved stays spent: its calls may have
 * been answered.
 */
export function createBudget(max: number | null, now: () => number): Budget {
  /** The last day of which this process knows that it has a document. */
  let begun = '';

  async function begin(day: string): Promise<void> {
    if (begun === day) return;
    const empty = { at: new Date(`${day}T00:00:00Z`), spent: 0 };
    await BudgetDayModel.updateOne({ _id: day }, { $setOnInsert: empty }, { upsert: true });
    begun = day;
  }

  async function add(day: string, tokens: number, upTo = Number.MAX_SAFE_INTEGER): Promise<boolean> {
    const before = await BudgetDayModel.findOneAndUpdate(
      { _id: day, spent: { $lte: upTo - tokens } },
      { $inc: { spent: tokens } },
      { returnDocument: 'before' },
    ).lean<BudgetDayDoc>();
    if (!before) return false;
    if (isWarning(before.spent) !== isWarning(before.spent + tokens))
      await events.emit('noticesChanged', { siteId: null });
    return true;
  }

  const isWarning = (spent: number) => max !== null && spent * 100 >= max * WARNED_AT_PERCENT;

  return {
    async reserve(tokens) {
      const at = now();
      const day = utcDay(at);
      await begin(day);
      if (await add(day, tokens, max ?? undefined)) return { day, tokens };
      throw budgetSpent(at);
    },
    async settle({ day, tokens }, used) {
      await add(day, used - tokens);
    },
    async today() {
      const found = await BudgetDayModel.findById(utcDay(now())).lean<BudgetDayDoc>();
      return { spent: found?.spent ?? 0, max };
    },
  };
}
