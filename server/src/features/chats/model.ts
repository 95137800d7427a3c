import { Schema, type Types } from 'mongoose';
import type { ArticleLanguage } from '#features/articles/contract';
import type { HandOverReason } from '#features/assistant/contract';
import { createDocumentCache } from '#platform/cache';
import { defineModel } from '#platform/database';
import type { ChatStatus, Receipts } from './contract.ts';
import { type ChatOutboxEvent, outboxEventSchema } from './outboxEvents.ts';
import { type RatingDoc, ratingSchema, type TurnDoc, turnSchema } from './turns/turns.ts';

/** What the automatic assistant does in a chat. */
export interface AssistantInChat {
  /** The run that is under way, since when, and up to which message of the visitor it answers. */
  run?: Types.ObjectId;
  since?: Date;
  upTo?: number;
  /** How often it answered. */
  answers: number;
  /** The language that the visitor's widget had when the chat began. */
  lang: ArticleLanguage;
  /** When the visitor asked what it answered last. */
  askedAt?: Date;
  /** Why a person took over, or was asked to begin with; it does not begin again in this chat. */
  reason?: HandOverReason;
}

/** A chat as stored: its state, and a summary row for lists, which can be rebuilt from its messages at any time. */
export interface ChatDoc {
  _id: Types.ObjectId;
  site: Types.ObjectId;
  visitor: Types.ObjectId;
  status: ChatStatus;
  /** Set until the chat is closed. A unique index on it allows each visitor one open chat. */
  open?: boolean;
  /** The user agent looks like a machine's: the chat is excluded from lists, counts and live events. */
  bot: boolean;
  visitorInfo: { name: string | null; email: string | null; userAgent: string; location: string | null };
  /** The department that it is for; absent, or one that the site no longer has: none. */
  department?: Types.ObjectId;
  /** When it came into the queue of its department; absent: when it began. */
  queuedAt?: Date;
  claimedBy: Types.ObjectId | null;
  /** When the server chose the claimer; removed when the claimer claims by hand or someone answers. */
  assignedAt?: Date;
  /** Lease of an assignment: afterwards the chat goes to the next member. Removed when the claimer has opened it. */
  assignedUntil?: Date;
  /** Name of the member who handed it over; removed when the claimer has opened it or someone answers. */
  handedBy?: string;
  /** Members who let the chat go since it was last taken up; skipped until they connect again. */
  passedBy?: Types.ObjectId[];
  /** Time of the visitor's first unanswered message; absent: no answer is due. */
  waitingSince?: Date;
  /** Time of an agent's first answer; `createdAt` where an agent began the chat. */
  firstResponseAt?: Date;
  /** Who gave it; absent in rows of earlier versions. */
  firstResponseBy?: Types.ObjectId;
  /** Mark for the figures: a new id with each write that changes what they count; removed when they have counted it. */
  uncounted?: Types.ObjectId;
  /** Mark for notices: a new id with each hand-over, hand-back or end of a snooze; removed when people are notified. */
  unnotified?: Types.ObjectId;
  /** Mark for webhooks: a new id with each write that they subscribe to; removed when the outbox has the event. */
  untold?: Types.ObjectId;
  /** The newest message in their outbox. */
  toldSeq?: number;
  happened?: ChatOutboxEvent[];
  /** The number of earlier events in `happened`, which the outbox has taken over. */
  happenedBefore?: number;
  /** Mark for rules: a new id with each write that one may wait for; removed when their work is in its queue. */
  unruled?: Types.ObjectId;
  /** The newest message, and the time of the newest rating, that rules know of. */
  ruledSeq?: number;
  ruledRating?: Date;
  /** Until then an open chat is snoozed: out of the lists of waiting and active chats. Removed when it comes back. */
  snoozedUntil?: Date;
  /** The snooze has ended, and people are not notified of it yet. */
  woken?: true;
  /** The assistant has the chat: it is out of the list of waiting chats, and rings nobody. Removed when a person is to answer. */
  assisted?: true;
  /** Absent: the assistant has never had the chat. */
  assistant?: AssistantInChat;
  tags: string[];
  rating: RatingDoc | null;
  /** Time of the rating; absent in rows of earlier versions. */
  ratedAt?: Date;
  /** Copy of the visitor's flag; the visitor's own record decides. */
  blocked: boolean;
  /** Stands for the conversation of another chat that it was imported from; no figures count such a chat. */
  importKey?: string;
  /** The import that stored it. */
  importRun?: Types.ObjectId;
  createdAt: Date;
  closedAt: Date | null;
  closedBy: Types.ObjectId | null;
  /** The seq of the message that closed or reopened the chat last; absent: none did, or an older version. */
  turnSeq?: number;
  /** When it was reopened last: the beginning of its current turn. */
  reopenedAt?: Date;
  /** The seq of the message that did so. */
  reopenedSeq?: number;
  /** The turns before the current one, as they were when the chat was reopened. */
  turns?: TurnDoc[];
  /**
   * Summary: seq, text and time of the newest message, text of the first one, and number of messages that staff have
   * not read.
   */
  lastSeq: number;
  lastMessage: string;
  lastActivity: Date;
  unread: number;
  /** From this message on, staff have marked the chat as unread, although it was read; removed when somebody reads it. */
  unreadFrom?: number;
  receipts: Receipts;
  /** Summary: the number of the newest change of a message; absent: none was changed. It may lag behind, never ahead. */
  lastEdit?: number;
  /** Increases with every change. */
  rev: number;
  updatedAt: Date;
}

const receipt = { delivered: { type: Number, default: 0 }, read: { type: Number, default: 0 } };

const assistantSchema = new Schema<AssistantInChat>(
  {
    run: { type: Schema.Types.ObjectId },
    since: { type: Date },
    upTo: { type: Number },
    answers: { type: Number, required: true },
    lang: { type: String, required: true },
    askedAt: { type: Date },
    reason: { type: String },
  },
  { _id: false },
);

const chatSchema = new Schema<ChatDoc>(
  {
    site: { type: Schema.Types.ObjectId, required: true },
    visitor: { type: Schema.Types.ObjectId, required: true },
    status: { type: String, enum: ['waiting', 'active', 'closed'] as const, default: 'waiting' },
    open: { type: Boolean },
    bot: { type: Boolean, required: true },
    visitorInfo: {
      name: { type: String, default: null },
      email: { type: String, default: null },
      userAgent: { type: String, default: '' },
      location: { type: String, default: null },
    },
    department: { type: Schema.Types.ObjectId },
    queuedAt: { type: Date },
    claimedBy: { type: Schema.Types.ObjectId, default: null },
    assignedAt: { type: Date },
    assignedUntil: { type: Date },
    handedBy: { type: String },
    passedBy: { type: [Schema.Types.ObjectId], default: undefined },
    waitingSince: { type: Date },
    firstResponseAt: { type: Date },
    firstResponseBy: { type: Schema.Types.ObjectId },
    uncounted: { type: Schema.Types.ObjectId },
    unnotified: { type: Schema.Types.ObjectId },
    untold: { type: Schema.Types.ObjectId },
    toldSeq: { type: Number },
    happened: { type: [outboxEventSchema], default: undefined },
    happenedBefore: { type: Number },
    unruled: { type: Schema.Types.ObjectId },
    ruledSeq: { type: Number },
    ruledRating: { type: Date },
    snoozedUntil: { type: Date },
    woken: { type: Boolean },
    assisted: { type: Boolean },
    assistant: { type: assistantSchema },
    tags: { type: [String], default: [] },
    rating: { type: ratingSchema, default: null },
    ratedAt: { type: Date },
    blocked: { type: Boolean, default: false },
    importKey: { type: String },
    importRun: { type: Schema.Types.ObjectId },
    createdAt: { type: Date, required: true },
    closedAt: { type: Date, default: null },
    closedBy: { type: Schema.Types.ObjectId, default: null },
    turnSeq: { type: Number },
    reopenedAt: { type: Date },
    reopenedSeq: { type: Number },
    turns: { type: [turnSchema], default: undefined },
    lastSeq: { type: Number, default: 0 },
    lastMessage: { type: String, default: '' },
    lastActivity: { type: Date, required: true },
    unread: { type: Number, default: 0 },
    unreadFrom: { type: Number },
    receipts: { visitor: receipt, staff: receipt },
    lastEdit: { type: Number },
    rev: { type: Number, default: 1 },
    updatedAt: { type: Date, required: true },
  },
  { versionKey: false },
);
// Each index has its readers, named here: every write of a row changes those of the fields that it touches.
// Lists of all statuses, and counting what a site stores. Read by the next index instead, the lists would take three ranges for
// each site, and MongoDB merges no more than 200 of them; without this one, a row's write takes about 7 % less processor time.
chatSchema.index({ site: 1, bot: 1, lastActivity: -1, _id: -1 });
// Lists of one status, and the counts of the inbox.
chatSchema.index({ site: 1, bot: 1, status: 1, lastActivity: -1, _id: -1 });
// The history by status, and the queue of chats to be assigned.
chatSchema.index({ site: 1, bot: 1, status: 1, createdAt: -1, _id: -1 });
// The history of a claimer, and who is a claimer on a site at all.
chatSchema.index({ site: 1, bot: 1, claimedBy: 1, status: 1, createdAt: -1, _id: -1 });
// Lists and counts of a claimer's chats, and of those without one.
chatSchema.index({ site: 1, bot: 1, claimedBy: 1, status: 1, lastActivity: -1, _id: -1 });
// The list by waiting time.
chatSchema.index(
  { site: 1, bot: 1, waitingSince: 1, _id: 1 },
  { name: 'waiting_for_answer', partialFilterExpression: { waitingSince: { $exists: true } } },
);
// The list and the count of unread chats.
chatSchema.index(
  { site: 1, bot: 1, lastActivity: -1, _id: -1 },
  { name: 'unread_by_activity', partialFilterExpression: { unread: { $gt: 0 } } },
);
/** Chats without tags are not in these, so that they cost nothing where nobody tags. */
const TAGGED = { tags: { $gt: '' } };
// Lists by tag, and the tags to choose from.
chatSchema.index(
  { site: 1, bot: 1, tags: 1, status: 1, lastActivity: -1, _id: -1 },
  { name: 'by_tag', partialFilterExpression: TAGGED },
);
// Lists by tag and claimer.
chatSchema.index(
  { site: 1, bot: 1, tags: 1, claimedBy: 1, status: 1, lastActivity: -1, _id: -1 },
  { name: 'by_tag_and_claimer', partialFilterExpression: TAGGED },
);
// Lists and counts of a department; chats of none are not in it, so that it costs nothing where there are no departments.
chatSchema.index(
  { site: 1, bot: 1, department: 1, status: 1, lastActivity: -1, _id: -1 },
  { name: 'by_department', partialFilterExpression: { department: { $exists: true } } },
);
// Lists of chats handed over.
chatSchema.index(
  { site: 1, bot: 1, claimedBy: 1, lastActivity: -1, _id: -1 },
  { name: 'handed_over', partialFilterExpression: { handedBy: { $exists: true } } },
);
// The list of snoozed chats, and their number, which is subtracted from that of active ones.
chatSchema.index(
  { site: 1, bot: 1, lastActivity: -1, _id: -1 },
  { name: 'snoozed_by_activity', partialFilterExpression: { snoozedUntil: { $exists: true } } },
);
// The chats of the assistant, their number, and those in which it owes an answer.
chatSchema.index(
  { site: 1, bot: 1, lastActivity: -1, _id: -1 },
  { name: 'assisted_by_activity', partialFilterExpression: { assisted: true } },
);
chatSchema.index({ waitingSince: 1 }, { name: 'assisted_by_wait', partialFilterExpression: { assisted: true } });
// What changed since a dashboard was connected last.
chatSchema.index({ site: 1, bot: 1, updatedAt: 1 });
// The open chats of a member who is away, leaves or is to be given more.
chatSchema.index({ claimedBy: 1, site: 1 }, { name: 'open_of_claimer', partialFilterExpression: { open: true } });
// Chats that are idle for so long that they are closed or deleted, and those closed for so long that they are deleted.
chatSchema.index({ site: 1, lastActivity: 1 }, { name: 'open_by_activity', partialFilterExpression: { open: true } });
chatSchema.index({ site: 1, closedAt: 1 }, { name: 'closed_by_age', partialFilterExpression: { status: 'closed' } });
// What is due, and the marks of the projections.
for (const name of ['assignedUntil', 'uncounted', 'unnotified', 'untold', 'unruled', 'snoozedUntil'])
  chatSchema.index({ [name]: 1 }, { partialFilterExpression: { [name]: { $exists: true } } });
// A visitor's chats, and the only one that may be open.
chatSchema.index({ visitor: 1, _id: -1 });
chatSchema.index({ visitor: 1 }, { name: 'one_open_chat', unique: true, partialFilterExpression: { open: true } });
// Finds what an import has stored already.
chatSchema.index(
  { site: 1, importKey: 1 },
  { unique: true, partialFilterExpression: { importKey: { $exists: true } } },
);
/** Cache of the active chats. */
export const chatCache = createDocumentCache<ChatDoc>(chatSchema, () => ChatModel);
export const ChatModel = defineModel<ChatDoc>('Chat', chatSchema, 'chats');

/** Update part that ends an assignment: a member has reacted, so no other has to be asked. */
export const CLEAR_ASSIGNMENT = { $unset: { assignedAt: 1, assignedUntil: 1, handedBy: 1, passedBy: 1 } } as const;

/**
 * Update part that makes `sync` find the row. The store sets the time when it writes: a time taken here would be older
 * by the duration of the write, and a row dated before every dashboard's cursor would never be sent.
 */
export const SET_UPDATED_AT = { $currentDate: { updatedAt: true } } as const;
