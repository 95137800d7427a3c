import { type QueryFilter, Types } from 'mongoose';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { WEBHOOK_TRIED_HOURS } from './contract.ts';
import { type DeliveryDoc, DeliveryModel, IS_WAITING } from './model.ts';
import { type Attempt, TOO_MANY_REQUESTS } from './post.ts';

/** The lease of a delivery under way, longer than a request takes: after it, the process that took it must have died. */
const LEASE_MS = 20 * SECOND_MS;
/** The wait after each failure; the last value holds for all further ones. */
const BACKOFF_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
/** The longest wait that a receiver may ask for. */
const RETRY_AFTER_MAX_S = 3_600;
const TRIED_MS = WEBHOOK_TRIED_HOURS * HOUR_MS;

type Lane = Pick<DeliveryDoc, 'webhook' | 'lane'>;

/**
 * Takes the first delivery of a lane in which one is due, unless its lane has to wait for it.
 * @param busy lanes that are left out
 */
export async function takeNext(webhookId: string, busy: string[], now: number): Promise<DeliveryDoc | null> {
  const webhook = new Types.ObjectId(webhookId);
  for (;;) {
    const due = await DeliveryModel.findOne({ webhook, dueAt: { $lte: new Date(now) }, lane: { $nin: busy } })
      .sort({ dueAt: 1, order: 1 })
      .lean<DeliveryDoc>();
    if (!due) return null;
    const head = await headOf(due);
    if (head?.dueAt && head.dueAt.getTime() > now) await waitFor(head, head.dueAt);
    else if (head) {
      const taken = await take({ _id: head._id, dueAt: head.dueAt ?? null }, now);
      if (taken) return taken;
    }
  }
}

/**
 * Takes the first delivery of a lane whose last one has just succeeded, although it is not due yet: it had to wait for that
 * one only. One that was tried before is left alone, because another node may have taken it meanwhile.
 */
export async function takeHead(lane: Lane, now: number): Promise<DeliveryDoc | null> {
  const head = await headOf(lane);
  return head && take({ _id: head._id, attempts: 0, ...IS_WAITING }, now);
}

function headOf({ webhook, lane }: Lane): Promise<DeliveryDoc | null> {
  return DeliveryModel.findOne({ webhook, lane, ...IS_WAITING })
    .sort({ order: 1, _id: 1 })
    .lean<DeliveryDoc>()
    .exec();
}

/** Of several nodes only one gets it. @param untaken matches the delivery as long as nobody has taken it */
function take(untaken: QueryFilter<DeliveryDoc>, now: number): Promise<DeliveryDoc | null> {
  return DeliveryModel.findOneAndUpdate(
    untaken,
    { $set: { dueAt: new Date(now + LEASE_MS) }, $inc: { attempts: 1 } },
    { returnDocument: 'after' },
  )
    .lean<DeliveryDoc>()
    .exec();
}

/** Makes a lane wait until its first delivery is due. */
async function waitFor({ webhook, lane }: Lane, until: Date): Promise<void> {
  await DeliveryModel.updateMany({ webhook, lane, dueAt: { $lt: until } }, { $set: { dueAt: until } });
}

/** Gives back a delivery that was taken, but not tried. */
export async function release({ _id, dueAt }: DeliveryDoc, now: number): Promise<void> {
  await DeliveryModel.updateOne(
    { _id, dueAt: dueAt ?? null },
    { $set: { dueAt: new Date(now) }, $inc: { attempts: -1 } },
  );
}

/** Stores that the receiver has accepted a delivery. */
export async function sent({ _id }: DeliveryDoc, { answerStatus }: Attempt, now: number): Promise<void> {
  const at = new Date(now);
  await DeliveryModel.updateOne(
    { _id },
    {
      $set: { status: 'sent', doneAt: at, triedAt: at, ...(answerStatus && { answerStatus }) },
      $unset: { dueAt: 1, failure: 1, answer: 1 },
    },
  );
}

/** How long a receiver has asked to wait, in milliseconds. */
export const patienceMs = ({ retryAfterS = 0 }: Attempt) => Math.min(retryAfterS, RETRY_AFTER_MAX_S) * SECOND_MS;

/**
 * Stores a failure. Until the delivery is a day old it is tried again, and its lane waits for it.
 * @returns whether it was given up
 */
export async function failed(delivery: DeliveryDoc, attempt: Attempt, now: number): Promise<boolean> {
  const { failure = 'connection', answerStatus, answer } = attempt;
  const isOver = now - delivery.createdAt.getTime() >= TRIED_MS;
  const asked = patienceMs(attempt);
  const usual = BACKOFF_MS[Math.min(delivery.attempts, BACKOFF_MS.length) - 1] ?? SECOND_MS;
  // Of a receiver that is only busy it is known when it is ready.
  const isBusy = answerStatus === TOO_MANY_REQUESTS && asked > 0;
  const dueAt = new Date(now + (isBusy ? asked : Math.max(usual, asked)));
  const state = isOver ? { status: 'failed' as const, doneAt: new Date(now) } : { dueAt };
  await DeliveryModel.updateOne(
    { _id: delivery._id },
    {
      $set: {
        failure,
        triedAt: new Date(now),
        ...state,
        ...(answerStatus && { answerStatus }),
        ...(answer && { answer }),
      },
      $unset: { ...(isOver && { dueAt: 1 }), ...(!answerStatus && { answerStatus: 1 }), ...(!answer && { answer: 1 }) },
    },
  );
  if (!isOver) await waitFor(delivery, dueAt);
  return isOver;
}

/** Makes everything wait that is to be delivered to a webhook. @param until milliseconds */
export async function postpone(webhook: Types.ObjectId, until: number): Promise<void> {
  await DeliveryModel.updateMany({ webhook, ...IS_WAITING }, { $set: { dueAt: new Date(until) } });
}

/** Makes everything due that waits because a webhook's receiver was down; what is under way stays so. */
export async function hurry(webhook: Types.ObjectId, now: number): Promise<void> {
  const waits = { webhook, dueAt: { $gt: new Date(now + LEASE_MS) } };
  await DeliveryModel.updateMany(waits, { $set: { dueAt: new Date(now) } });
}

/** How long nothing may be delivered to a webhook before it is switched off. */
export const FAILING_MAX_MS = DAY_MS;
