import { Schema, Types } from 'mongoose';
import { type TurnDoc, turnSchema } from '#features/chats';
import { defineModel } from '#platform/database';

/** The value of `day` for the figures of all time. */
export const ALL_TIME = 'all';
/** The value of the site for the figures of all sites together, deleted ones included. */
export const ALL_SITES = new Types.ObjectId('0'.repeat(24));

/** Counts by quarter of an hour (`h37`), and there by a bucket: of a duration (`b12`), or of a number of stars (`s5`). */
export type Buckets = Record<string, Record<string, number>>;

/** What is counted by agent. */
export interface AgentCounts {
  /** First responses of the agent. */
  answered?: Buckets;
  /** Times from the beginning of a turn to its close, of chats that were the agent's when they were closed. */
  resolved?: Buckets;
  /** Ratings of such turns. */
  ratings?: Buckets;
}

/** What is counted by department. */
export interface DepartmentCounts {
  /** Chats begun, by quarter of an hour. */
  begun?: Record<string, number>;
  /** Chats that were closed before anybody, or the assistant, had answered, by quarter of an hour. */
  missed?: Record<string, number>;
  by?: Record<string, AgentCounts>;
}

/** Stands for the agent of a chat that is nobody's. */
export const NOBODY = 'none';

/**
 * The figures of one site, or of all, on one UTC day. They are counters, so no request ever counts chats. Days of another
 * time zone are added up from quarters of an hour, because zones differ from UTC by a multiple of 15 minutes.
 */
export interface FigureDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  /** Such as `2026-05-31`, or `all`. */
  day: string;
  /** The number of chats, and of those with a visitor's name. Only in the figures of all time. */
  chats?: number;
  named?: number;
  /** Chats begun, by quarter of an hour (`h37`). */
  begun?: Record<string, number>;
  /** First responses, by quarter of an hour and then by the bucket of their duration (`b12`). */
  answered?: Buckets;
  /** What is counted by agent, by hex id or `NOBODY`; not in the figures of all sites. */
  by?: Record<string, AgentCounts>;
  /** What of all this is of a department, by hex id; not in the figures of all sites. */
  departments?: Record<string, DepartmentCounts>;
  /** The number of the last batch that is included. */
  applied: number;
}

const figureSchema = new Schema<FigureDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    day: { type: String, required: true },
    chats: { type: Number },
    named: { type: Number },
    begun: { type: Schema.Types.Mixed },
    answered: { type: Schema.Types.Mixed },
    by: { type: Schema.Types.Mixed },
    departments: { type: Schema.Types.Mixed },
    applied: { type: Number },
  },
  { versionKey: false },
);
figureSchema.index({ site: 1, day: 1 }, { unique: true });
export const FigureModel = defineModel<FigureDoc>('Figure', figureSchema, 'figures');

/** An entry of which nothing is counted any more is removed after this many seconds. */
const GONE_KEPT_S = 24 * 60 * 60;

/** What the figures count of one chat. */
export interface CountedDoc {
  /** The chat's id. */
  _id: Types.ObjectId;
  site: Types.ObjectId;
  begunAt: Date;
  answeredAt: Date | null;
  answeredBy: Types.ObjectId | null;
  /** The department that it is for now. */
  department: Types.ObjectId | null;
  /** When it was closed without an answer. */
  missedAt: Date | null;
  /** Its turns, the current one included: each resolution and rating is of the agent who had the chat then. */
  turns: TurnDoc[];
  /** Its visitor has given a name. */
  isNamed: boolean;
  /** The number of the last batch that changed it. */
  applied: number;
  /** Nothing is counted of it since then. It is kept for a day, so that it can refuse an earlier batch that is applied late. */
  goneAt?: Date;
}

const countedSchema = new Schema<CountedDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    begunAt: { type: Date, required: true },
    answeredAt: { type: Date, default: null },
    answeredBy: { type: Schema.Types.ObjectId, default: null },
    department: { type: Schema.Types.ObjectId, default: null },
    missedAt: { type: Date, default: null },
    turns: { type: [turnSchema] },
    isNamed: { type: Boolean, required: true },
    applied: { type: Number, required: true },
    goneAt: { type: Date },
  },
  { versionKey: false },
);
countedSchema.index({ site: 1 });
countedSchema.index({ goneAt: 1 }, { expireAfterSeconds: GONE_KEPT_S });
export const CountedModel = defineModel<CountedDoc>('Counted', countedSchema, 'countedChats');

/** By how much figures of one site and day change. */
export interface Growth {
  site: Types.ObjectId;
  day: string;
  by: { figure: string; more: number }[];
}

/** The newest batch of changes of the figures: one document, a write-ahead log that holds one entry. */
export interface BatchDoc {
  _id: string;
  /** The batch's number; each one is larger than those before. */
  number: number;
  growths: Growth[];
  /** What is counted of these chats afterwards. */
  counted: Omit<CountedDoc, 'applied' | 'goneAt'>[];
  /** Chats of which nothing is counted afterwards. */
  gone: Types.ObjectId[];
  /** Which figures are counted; see `VERSION`. */
  version: number;
  /** Figures of batches before this number belong to another version. */
  since: number;
  /** They have been removed. */
  isCleared: boolean;
  /** All chats up to this id have been counted anew; null: all chats. */
  recountedTo: Types.ObjectId | null;
}

const batchSchema = new Schema<BatchDoc>(
  {
    _id: { type: String, required: true },
    number: { type: Number, required: true },
    growths: { type: Schema.Types.Mixed },
    counted: { type: Schema.Types.Mixed },
    gone: { type: [Schema.Types.ObjectId] },
    version: { type: Number, required: true },
    since: { type: Number, required: true },
    isCleared: { type: Boolean, required: true },
    recountedTo: { type: Schema.Types.ObjectId, default: null },
  },
  { versionKey: false },
);
export const BatchModel = defineModel<BatchDoc>('FigureBatch', batchSchema, 'figureBatches');
