import { Schema } from 'mongoose';
import { defineModel } from '../connection.ts';

/** A mail in the queue; what is over keeps its id for a while, so that the same one is not sent again. */
export interface MailDoc {
  _id: string;
  /** The mail as JSON, sealed: links in it open accounts and chats. Gone once it is over. */
  letter?: string;
  /** The site on whose behalf it leaves; '' for Parley's own, and absent from what was kept before there were turns. */
  site?: string;
  /** The account that answers for it. */
  account?: string;
  /** When it is tried next, or taken up again should the process have died over it. Gone once it is over. */
  dueAt?: Date;
  /** Ids of whom it tells. */
  about?: string[];
  attempts: number;
  createdAt: Date;
  doneAt?: Date;
}

/** How long the id of a mail is remembered after it left. */
const REMEMBERED_S = 7 * 86_400;

const mailSchema = new Schema<MailDoc>(
  {
    _id: { type: String, required: true },
    letter: { type: String },
    site: { type: String, default: '' },
    account: { type: String },
    dueAt: { type: Date },
    about: { type: [String], default: undefined },
    attempts: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    doneAt: { type: Date },
  },
  { versionKey: false },
);
mailSchema.index({ site: 1, dueAt: 1 }, { partialFilterExpression: { dueAt: { $exists: true } } });
mailSchema.index({ about: 1 }, { partialFilterExpression: { about: { $exists: true } } });
mailSchema.index({ doneAt: 1 }, { expireAfterSeconds: REMEMBERED_S });
export const MailModel = defineModel<MailDoc>('Mail', mailSchema, 'mails');
