import { Schema } from 'mongoose';
import { defineModel } from '#platform/database';
import { DAY_MS, DAY_S, HOUR_MS, MINUTE_MS } from '#platform/time';

/** The pauses between the tries: each is twice as long as the one before. */
const PAUSE_MS = 5 * MINUTE_MS;
const PAUSE_MAX_MS = 2 * HOUR_MS;
/** As mail servers do it: RFC 5321, 4.5.4.1. */
const WAIT_MAX_MS = 5 * DAY_MS;
/** More in one mailbox are refused, so that nobody fills the database with them. */
const WAITING_MAX = 1_000;
/** Those of a mailbox that is no longer read are forgotten. */
const KEPT_S = 30 * DAY_S;

/** A mail that stays in its mailbox for a later try. */
interface WaitingMailDoc {
  /** The mailbox and the number. */
  _id: string;
  mailbox: string;
  uid: number;
  since: Date;
  tries: number;
  nextAt: Date;
}

const waitingSchema = new Schema<WaitingMailDoc>(
  {
    _id: { type: String, required: true },
    mailbox: { type: String, required: true },
    uid: { type: Number, required: true },
    since: { type: Date, required: true },
    tries: { type: Number, required: true },
    nextAt: { type: Date, required: true },
  },
  { versionKey: false },
);
waitingSchema.index({ mailbox: 1, nextAt: 1 });
waitingSchema.index({ since: 1 }, { expireAfterSeconds: KEPT_S });
const WaitingMailModel = defineModel<WaitingMailDoc>('WaitingMail', waitingSchema, 'waitingmails');

const idOf = (mailbox: string, uid: number) => `${mailbox} ${uid}`;

/** The numbers of the mails whose next try is due, at most so many, in order. */
export async function dueMails(mailbox: string, at: number, most: number): Promise<number[]> {
  const due = await WaitingMailModel.find({ mailbox, nextAt: { $lte: new Date(at) } })
    .sort({ nextAt: 1 })
    .limit(most)
    .lean<WaitingMailDoc[]>();
  return due.map(({ uid }) => uid).sort((a, b) => a - b);
}

/**
 * Lets a mail wait for its next try. This is stored before the position moves past it.
 * @returns false: it has waited for days, or too many do
 */
export async function letWait(mailbox: string, uid: number, at: number): Promise<boolean> {
  const _id = idOf(mailbox, uid);
  const known = await WaitingMailModel.findById(_id).lean<WaitingMailDoc>();
  if (!known && (await WaitingMailModel.countDocuments({ mailbox })) >= WAITING_MAX) return false;
  const { since = new Date(at), tries = 0 } = known ?? {};
  if (at - since.getTime() > WAIT_MAX_MS) return false;
  const nextAt = new Date(at + Math.min(PAUSE_MS * 2 ** tries, PAUSE_MAX_MS));
  await WaitingMailModel.updateOne(
    { _id },
    { $set: { mailbox, uid, since, tries: tries + 1, nextAt } },
    { upsert: true },
  );
  return true;
}

/** The mail waits no more: it was taken or refused, or is gone. */
export async function endWait(mailbox: string, uid: number): Promise<void> {
  await WaitingMailModel.deleteOne({ _id: idOf(mailbox, uid) });
}

/** All do: the mailbox counts anew, and is searched for them. */
export async function endWaits(mailbox: string): Promise<void> {
  await WaitingMailModel.deleteMany({ mailbox });
}

/** How many mails wait in a mailbox, and since when; null: none. */
export async function waitingMails(mailbox: string): Promise<{ count: number; since: Date } | null> {
  const [count, first] = await Promise.all([
    WaitingMailModel.countDocuments({ mailbox }),
    WaitingMailModel.findOne({ mailbox }).sort({ since: 1 }).lean<WaitingMailDoc>(),
  ]);
  return first && { count, since: first.since };
}
