import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { type WorkDoc, workFields } from '#platform/work';

/** A mail in the outbox. After sending, a tombstone keeps its id for a while, so that the same mail is not sent again. */
export interface MailDoc extends WorkDoc {
  _id: string;
  /** The mail as sealed JSON, because its links give access to accounts and chats. Deleted after sending. */
  letter?: string;
  /**
   * Whose turn it is sent in: the site or the account on whose behalf it is sent; '' for those of nobody; absent in mails queued
   * by versions before round-robin sending.
   */
  site?: string;
  /** The account that the limits count it for. */
  account?: string;
  /** Ids of the site and the visitor that it is about. */
  about?: string[];
  createdAt: Date;
  doneAt?: Date;
}

/** How long a sent mail's id is kept. */
const REMEMBERED_S = 7 * 86_400;

const mailSchema = new Schema<MailDoc>(
  {
    _id: { type: String, required: true },
    letter: { type: String },
    site: { type: String, default: '' },
    account: { type: String },
    about: { type: [String], default: undefined },
    ...workFields,
    createdAt: { type: Date, required: true },
    doneAt: { type: Date },
  },
  { versionKey: false },
);
mailSchema.index({ site: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
mailSchema.index({ about: 1 }, { partialFilterExpression: { about: { $exists: true } } });
mailSchema.index({ doneAt: 1 }, { expireAfterSeconds: REMEMBERED_S });
export const MailModel = defineModel<MailDoc>('Mail', mailSchema, 'mails');
