import { Schema, type Types } from 'mongoose';
import { defineModel } from '#platform/database';
import type { Note } from '../contract.ts';

/** A note as stored, separate from the messages. */
export interface NoteDoc {
  _id: Types.ObjectId;
  chat: Types.ObjectId;
  site: Types.ObjectId;
  author: Types.ObjectId;
  authorName: string;
  /** The author is a rule of the site. */
  byRule?: true;
  clientId: string;
  content: string;
  event?: Note['event'];
  /** The members whom it mentions, with their names at that time. */
  mentions?: MentionedMember[];
  /** With the event `snoozed`: until when. */
  until?: Date;
  /** With the event `transferred`: who got the chat; null: the queue. */
  to?: MentionedMember | null;
  /** With the events `transferred` and `department`: into which one, with its name at that time; null: into none. */
  department?: { _id: Types.ObjectId; name: string } | null;
  createdAt: Date;
  /** Set until the mentioned members are notified. */
  unnotified?: true;
}

/** A member whom a note names; the account may be deleted later. */
export interface MentionedMember {
  user: Types.ObjectId;
  name: string;
}

const namedSchema = new Schema<MentionedMember>({ user: Schema.Types.ObjectId, name: String }, { _id: false });

const noteSchema = new Schema<NoteDoc>(
  {
    chat: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    author: { type: Schema.Types.ObjectId, required: true },
    authorName: { type: String, required: true },
    byRule: { type: Boolean },
    clientId: { type: String, required: true },
    content: { type: String, required: true },
    event: { type: String },
    mentions: { type: [namedSchema], default: undefined },
    until: { type: Date },
    to: { type: namedSchema },
    department: { type: new Schema({ _id: Schema.Types.ObjectId, name: String }) },
    createdAt: { type: Date, required: true },
    unnotified: { type: Boolean },
  },
  { versionKey: false },
);
noteSchema.index({ chat: 1, _id: -1 });
noteSchema.index({ author: 1, clientId: 1 }, { unique: true });
noteSchema.index({ site: 1 });
noteSchema.index({ unnotified: 1, _id: 1 }, { partialFilterExpression: { unnotified: true } });
export const NoteModel = defineModel<NoteDoc>('Note', noteSchema, 'notes');
