import { Schema, type Types } from 'mongoose';
import type { Sessions } from '#features/auth';
import type { ChatDoc, MessageDoc } from '#features/chats';
import type { MailIn } from '#features/mailin';
import type { Presence } from '#features/presence';
import type { SiteDoc } from '#features/sites';
import type { ResumeLinks } from '#features/visitors';
import { defineModel, deleteInBatches } from '#platform/database';
import type { Mail } from '#platform/mail';
import type { Push } from '#platform/push';
import { DAY_MS } from '#platform/time';
import { type WorkDoc, workFields } from '#platform/work';
import type { ActionTokens } from './actionTokens.ts';

/**
 * `team`: mails an unattended chat to the team; `bell`: rings devices for it; `answer`: mails unread answers to the visitor;
 * `mention`: mails unread mentions to the members.
 */
export type NoticeKind = 'team' | 'bell' | 'answer' | 'mention';

/**
 * A scheduled mail or bell, sent when it is due if it is still needed then. At most one of each kind per chat; besides, one to
 * everybody for when others may help a department.
 */
export interface NoticeDoc extends WorkDoc {
  /** The chat's id with the kind. */
  _id: string;
  kind: NoticeKind;
  chat: Types.ObjectId;
  site: Types.ObjectId;
  /** Random; a prefix of its mails' ids, so that none is sent twice. */
  key: string;
  /** When the visitor began to wait. */
  since: Date;
  doneAt?: Date;
  /** The id of the mail that covers it together with others; a prefix of that mail's copies' ids. */
  batch?: string;
  /** No agent was online when the visitor wrote. */
  isOffline?: boolean;
  /** The sequence numbers of the newest answer and of the newest one mailed. */
  wantedSeq?: number;
  mailedSeq?: number;
  /** How often the bell has rung again. */
  rings?: number;
}

/** Older events notify nobody: after a restored backup, for example, they are out of date. */
export const MAX_AGE_MS = DAY_MS;

/** How long a sent notice is kept. */
const REMEMBERED_S = 30 * 86_400;

const noticeSchema = new Schema<NoticeDoc>(
  {
    _id: { type: String, required: true },
    kind: { type: String, enum: ['team', 'bell', 'answer', 'mention'] as const, required: true },
    chat: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    since: { type: Date, required: true },
    ...workFields,
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

/** When a site's team, or the members of a department, were last mailed. */
interface TeamMailDoc {
  /** The site, or the department. */
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

/** The current state of what a notice is about. */
export interface NoticeContext {
  notice: NoticeDoc;
  chat: ChatDoc;
  site: SiteDoc;
}

/** The outcome of a notice: done, due again at a time, or no longer needed. */
export type Outcome = { done: { mailedSeq?: number } } | { again: Date; change?: Partial<NoticeDoc> } | 'needless';

/** What of a message decides who is notified of it, and when. */
export type NotifiedMessage = Pick<MessageDoc, 'seq' | 'sender' | 'createdAt'>;

export interface NotifyDeps {
  mail: Mail;
  push: Push;
  presence: Presence;
  sessions: Sessions;
  links: ResumeLinks;
  actionTokens: ActionTokens;
  /** How answers to mails come in; null: they do not. */
  mailIn: MailIn | null;
  now: () => number;
}
