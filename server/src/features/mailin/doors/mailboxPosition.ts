import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';

/** How far a mailbox has been read. */
export interface MailboxPosition {
  /** The validity of the numbers: with another, the mailbox counts anew. */
  uidValidity: string;
  /** The last number that needs no look any more. */
  uid: number;
}

/** @property _id `user@host/folder` */
interface PositionDoc extends MailboxPosition {
  _id: string;
  /** The mail that is being taken, and how often it was begun. */
  tried: { uid: number; times: number };
}

const positionSchema = new Schema<PositionDoc>(
  {
    _id: { type: String, required: true },
    uidValidity: { type: String, required: true },
    uid: { type: Number, required: true },
    tried: { type: new Schema({ uid: Number, times: Number }, { _id: false, id: false }) },
  },
  { versionKey: false },
);
const PositionModel = defineModel<PositionDoc>('MailboxPosition', positionSchema, 'mailboxpositions');

/** How far this mailbox has been read; null: not at all. */
export async function readPosition(_id: string): Promise<MailboxPosition | null> {
  return PositionModel.findById(_id).lean<PositionDoc>();
}

/** Begins with a mailbox, or with one that counts anew. */
export async function beginAt(_id: string, { uidValidity, uid }: MailboxPosition): Promise<void> {
  await PositionModel.updateOne({ _id }, { $set: { uidValidity, uid }, $unset: { tried: 1 } }, { upsert: true });
}

/** Moves the position forward, never back: a node that has lost its lease may be late. */
export async function moveTo(_id: string, { uidValidity, uid }: MailboxPosition): Promise<void> {
  await PositionModel.updateOne({ _id, uidValidity }, { $max: { uid } });
}

/** The mail that was begun last has been taken to an end, or waits: its next try is a first one. */
export async function forgetTries(_id: string): Promise<void> {
  await PositionModel.updateOne({ _id }, { $unset: { tried: 1 } });
}

/**
 * Notes that this mail is being taken. This is stored before it is, so that a mail which ends the process counts, and a database
 * that is away does not count against the mail.
 * @returns how often it has been begun, with this time
 */
export async function countTry(_id: string, uid: number): Promise<number> {
  const again = await PositionModel.findOneAndUpdate(
    { _id, 'tried.uid': uid },
    { $inc: { 'tried.times': 1 } },
    { returnDocument: 'after' },
  ).lean<PositionDoc>();
  if (!again) await PositionModel.updateOne({ _id }, { $set: { tried: { uid, times: 1 } } });
  return again?.tried.times ?? 1;
}
