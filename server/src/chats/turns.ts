import { Schema, type Types } from 'mongoose';
import type { ChatStatus, Rating } from './contract.ts';

/** The most turns that a chat remembers; what comes after them is not counted apart. */
export const TURNS_MAX = 500;

/** A turn of a chat: from its beginning, or a reopening, to its close. What happens in later turns does not change it. */
export interface TurnDoc {
  openedAt: Date;
  /** Null while the chat is open. */
  closedAt: Date | null;
  /** Whose the chat was when it was closed. */
  agent: Types.ObjectId | null;
  /** The stars of the rating that was given in this turn, or after it and before the next one. */
  score: number | null;
  ratedAt: Date | null;
}

/** How a turn is stored. */
export const turnSchema = new Schema<TurnDoc>(
  {
    openedAt: { type: Date, required: true },
    closedAt: { type: Date, default: null },
    agent: { type: Schema.Types.ObjectId, default: null },
    score: { type: Number, default: null },
    ratedAt: { type: Date, default: null },
  },
  { _id: false },
);

/** What of a chat its current turn is made of. */
interface OfTurn {
  status: ChatStatus;
  createdAt: Date;
  reopenedAt?: Date;
  closedAt: Date | null;
  claimedBy: Types.ObjectId | null;
  rating: Rating | null;
  ratedAt?: Date;
}

/**
 * The current turn of a chat, as it is now. A rating belongs to the turn in which it is given; that of an earlier turn still
 * stands in the chat's row.
 */
export function currentTurn({ status, createdAt, reopenedAt, claimedBy, rating, ...at }: OfTurn): TurnDoc {
  const openedAt = reopenedAt ?? createdAt;
  const closedAt = status === 'closed' ? at.closedAt : null;
  const ratedAt = rating && (at.ratedAt ?? closedAt ?? openedAt);
  const isRated = ratedAt !== null && ratedAt >= openedAt;
  return {
    openedAt,
    closedAt,
    // The claimer of an open chat may change.
    agent: closedAt && claimedBy,
    score: isRated ? (rating?.score ?? null) : null,
    ratedAt: isRated ? ratedAt : null,
  };
}
