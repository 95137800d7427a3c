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

/** What of a chat its turns are made of. */
interface OfTurns {
  status: ChatStatus;
  createdAt: Date;
  reopenedAt?: Date;
  reopenedSeq?: number;
  turnSeq?: number;
  closedAt: Date | null;
  claimedBy: Types.ObjectId | null;
  rating: Rating | null;
  ratedAt?: Date;
  turns?: TurnDoc[];
}

/**
 * The turns of a chat, as they are now. One that was closed before anybody wrote, visitor or agent, is none: the chat counts
 * as if it had stayed closed, and what the visitor rates since then is the turn before.
 */
export function turnsOf(chat: OfTurns): TurnDoc[] {
  const earlier = chat.turns ?? [];
  const current = currentTurn(chat);
  const before = earlier.at(-1);
  // The two messages follow each other.
  const isEmpty = chat.status === 'closed' && chat.turnSeq === (chat.reopenedSeq ?? Number.NaN) + 1;
  if (!isEmpty || !before) return [...earlier, current];
  const { score, ratedAt } = current.ratedAt ? current : before;
  return earlier.with(-1, { ...before, score, ratedAt });
}

/** A rating belongs to the turn in which it is given; that of an earlier turn still stands in the chat's row. */
function currentTurn({ status, createdAt, reopenedAt, claimedBy, rating, ...at }: OfTurns): TurnDoc {
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
