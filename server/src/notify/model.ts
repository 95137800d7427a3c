import { Schema, type Types } from 'mongoose';
import type { Sessions } from '../auth/sessions.ts';
import { deleteInBatches } from '../bulk.ts';
import type { ChatDoc } from '../chats/model.ts';
import { defineModel } from '../connection.ts';
import type { Mail } from '../mail/mail.ts';
import type { Presence } from '../presence/presence.ts';
import type { Push } from '../push/send.ts';
import type { SiteDoc } from '../sites/model.ts';
import type { ResumeLinks } from '../visitors/session.ts';

/** `team`: a chat that nobody reacts to; `bell`: the same, for devices. `answer`: what a visitor was told and has not read. */
export type NoticeKind = 'team' | 'bell' | 'answer';

/** A mail that is to be written, or a bell that is to ring, when its time comes, if it is still needed then. One of each kind per chat. */
export interface NoticeDoc {
  /** The chat's id and the kind. */
  _id: string;
  kind: NoticeKind;
  chat: Types.ObjectId;
  site: Types.ObjectId;
  /** Random: the ids of its mails begin with it, so that none leaves twice. */
  key: string;
  /** When the waiting began. */
  since: Date;
  /** When it is looked at; gone once the mail is written. */
  dueAt?: Date;
  doneAt?: Date;
  /** The mail that tells of it together with others; the ids of that mail's copies begin with it. */
  batch?: string;
  /** Nobody was there when the visitor wrote. */
  isOffline?: boolean;
  /** The newest answer there is, and the newest that was mailed. */
  wantedSeq?: number;
  mailedSeq?: number;
  /** How often the bell has rung again. */
  rings?: number;
}

/** How long it is remembered that a mail was written. */
const REMEMBERED_S = 30 * 86_400;

const noticeSchema = new Schema<NoticeDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: ['team', 'bell', 'answer'] as const, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    since: { type: Date, required: true },
    dueAt: { type: Date },
    doneAt: { type: Date },
    batch: { type: String },
    isOffline: { type: Boolean },
    wantedSeq: { type: Number },
    mailedSeq: { type: Number },
    rings: { type: Number },
  },
  { versionKey: false },
);
noticeSchema.index({ dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
noticeSchema.index({ site: 1, dueAt: 1 });
noticeSchema.index({ batch: 1 }, { partialFilterExpression: { batch: { $exists: true } } });
noticeSchema.index({ doneAt: 1 }, { expireAfterSeconds: REMEMBERED_S });
export const NoticeModel = defineModel<NoticeDoc>('Notice', noticeSchema, 'notices');

/** When a site's team was mailed last. */
interface TeamMailDoc {
  /** The site. */
  _id: Types.ObjectId;
  at: Date;
}

const teamMailSchema = new Schema<TeamMailDoc>(
  { _id: { type: Schema.Types.ObjectId, required: true }, at: { type: Date, required: true } },
  { versionKey: false },
);
teamMailSchema.index({ at: 1 }, { expireAfterSeconds: REMEMBERED_S });
export const TeamMailModel = defineModel<TeamMailDoc>('TeamMail', teamMailSchema, 'teammails');

/** Removes all notices of a deleted site. */
export async function purgeNotices(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(NoticeModel, { site }, signal);
  await TeamMailModel.deleteOne({ _id: site });
}

/** What a notice is about, as it is now. */
export interface NoticeContext {
  notice: NoticeDoc;
  chat: ChatDoc;
  site: SiteDoc;
}

/** What came of a notice: over, looked at again at a time, or not needed any more. */
export type Outcome = { done: { mailedSeq?: number } } | { again: Date; change?: Partial<NoticeDoc> } | 'needless';

/** What notices are written and bells rung with. */
export interface NotifyDeps {
  mail: Mail;
  push: Push;
  presence: Presence;
  sessions: Sessions;
  links: ResumeLinks;
  /** Milliseconds */
  now: () => number;
}
