import { Schema, type Types } from 'mongoose';
import type { ChatStatus, Rating } from '../contract.ts';

/** The most turns that a chat remembers; what comes after them is not counted apart. */
export const TURNS_MAX = 500;

/** A turn of a chat: from its beginning, or a reopening, to its close. What happens in later turns does not change it. */
export interface TurnDoc {
  openedAt: Date;
  /** Null while the chat is open. */
  closedAt: Date | null;
  /** Whose the chat was when it was closed. */
  agent: Types.ObjectId | null;
  /** The department that the chat was for then, also one that was deleted later; absent: none. */
  department?: Types.ObjectId;
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
    department: { type: Schema.Types.ObjectId },
    score: { type: Number, default: null },
    ratedAt: { type: Date, default: null },
  },
  { _id: false },
);

/** A rating as stored. */
export interface RatingDoc extends Rating {
  /** In which turn it was given: the seq of the message that began it, 0 for the first; absent in earlier versions. */
  turn?: number;
}

/** How a rating is stored. */
export const ratingSchema = new Schema<RatingDoc>({ score: Number, comment: String, turn: Number }, { _id: false });

/** What of a chat its turns are made of. */
interface OfTurns {
  status: ChatStatus;
  createdAt: Date;
  reopenedAt?: Date;
  reopenedSeq?: number;
  turnSeq?: number;
  closedAt: Date | null;
  claimedBy: Types.ObjectId | null;
  department?: Types.ObjectId;
  rating: RatingDoc | null;
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
function currentTurn(chat: OfTurns): TurnDoc {
  const { status, createdAt, reopenedAt, reopenedSeq = 0, claimedBy, department, rating } = chat;
  const openedAt = reopenedAt ?? createdAt;
  const closedAt = status === 'closed' ? chat.closedAt : null;
  const ratedAt = rating && (chat.ratedAt ?? closedAt ?? openedAt);
  // Where an earlier version has stored the rating, only the time shows the turn.
  const isRated = ratedAt !== null && (rating?.turn === undefined ? ratedAt >= openedAt : rating.turn === reopenedSeq);
  return {
    openedAt,
    closedAt,
    // The claimer of an open chat may change.
    agent: closedAt && claimedBy,
    ...(department && { department }),
    score: isRated ? (rating?.score ?? null) : null,
    ratedAt: isRated ? ratedAt : null,
  };
}
