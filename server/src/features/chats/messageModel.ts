import { Schema, type Types } from 'mongoose';
import type { AnswerSource, HandOverReason } from '#features/assistant/contract';
import { defineModel } from '#platform/database';
import type { MessageFile } from '#platform/files';
import { SENDERS, type Sender, type SystemEvent } from './contract.ts';

/** A greeting as it was when a visitor answered it. */
export interface AnsweredGreeting {
  id: string;
  text: string;
}

/** How a message came that came by mail. */
export interface MessageMailDoc {
  /** The address that it came from, where it is not the one that was written to. */
  from?: string;
  subject: string;
  /** The whole text of the mail, where the message shows less. Only the team may read it. */
  whole?: string;
}

/** A message as stored; its insert is the commit. */
export interface MessageDoc {
  _id: Types.ObjectId;
  chat: Types.ObjectId;
  site: Types.ObjectId;
  /** Dense from 1 within the chat. */
  seq: number;
  /** Namespace of `clientId`: `v:{visitor}`, `u:{user}`, `s:{chat}`, of the assistant `a:{chat}`, of a rule `r:{rule}`. */
  senderKey: string;
  clientId: string;
  sender: Sender;
  /** The user who wrote it, null for visitors and the system; and the sender's name at that time. */
  author: Types.ObjectId | null;
  authorName: string | null;
  event: SystemEvent | null;
  /** The text, or the name of the file. `formatted`: it has formatting; false: not since it was corrected. */
  content: string;
  formatted?: boolean;
  file?: MessageFile;
  /** The greeting of the site that the visitor answered with this message. */
  greeting?: AnsweredGreeting;
  /** Absent: it did not come by mail. Gone when the author deletes the message. */
  mail?: MessageMailDoc;
  /** The rule of the site that sent it, in the site's name: it is no answer of the team. */
  rule?: Types.ObjectId;
  /** Of an answer of the assistant, and what the visitor said of it first. */
  sources?: AnswerSource[];
  helped?: boolean;
  /** Of the message with which people take over: why. */
  reason?: HandOverReason;
  createdAt: Date;
  /** When the author corrected the text last. */
  editedAt?: Date;
  /** When the author deleted it: text and file are gone. */
  deletedAt?: Date;
  /** The number of its newest change among all changes of the visitor's messages, set together with `visitor`. */
  edit?: number;
  visitor?: Types.ObjectId;
  /** Mark: a new id with each change; removed when everything that is made from the message includes the change. */
  unapplied?: Types.ObjectId;
}

/** Whether somebody of the team has answered with a message: what a rule sends is no answer. */
export const isAnswer = ({ sender, rule }: Pick<MessageDoc, 'sender' | 'rule'>) => sender === 'agent' && !rule;

const fileSchema = new Schema<MessageFile>(
  {
    key: { type: String, required: true },
    name: { type: String, required: true },
    mime: { type: String, required: true },
    size: { type: Number, required: true },
    width: { type: Number },
    height: { type: Number },
    digest: { type: String, required: true },
  },
  { _id: false },
);

const messageSchema = new Schema<MessageDoc>(
  {
    chat: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    seq: { type: Number, required: true },
    senderKey: { type: String, required: true },
    clientId: { type: String, required: true },
    sender: { type: String, enum: SENDERS, required: true },
    author: { type: Schema.Types.ObjectId, default: null },
    authorName: { type: String, default: null },
    event: { type: String, default: null },
    content: { type: String, required: true },
    formatted: { type: Boolean },
    file: { type: fileSchema },
    greeting: { type: new Schema<AnsweredGreeting>({ id: String, text: String }, { _id: false, id: false }) },
    mail: {
      type: new Schema<MessageMailDoc>({ from: String, subject: String, whole: String }, { _id: false, id: false }),
    },
    rule: { type: Schema.Types.ObjectId },
    sources: {
      type: [{ _id: false, title: String, article: String, lang: String, url: { type: String, default: null } }],
      default: undefined,
    },
    helped: { type: Boolean },
    reason: { type: String },
    createdAt: { type: Date, required: true },
    editedAt: { type: Date },
    deletedAt: { type: Date },
    edit: { type: Number },
    visitor: { type: Schema.Types.ObjectId },
    unapplied: { type: Schema.Types.ObjectId },
  },
  { versionKey: false },
);
messageSchema.index({ chat: 1, seq: 1 }, { unique: true });
messageSchema.index({ senderKey: 1, clientId: 1 }, { unique: true });
messageSchema.index({ visitor: 1, edit: 1 }, { unique: true, partialFilterExpression: { edit: { $exists: true } } });
messageSchema.index({ unapplied: 1 }, { partialFilterExpression: { unapplied: { $exists: true } } });
export const MessageModel = defineModel<MessageDoc>('Message', messageSchema, 'messages');
