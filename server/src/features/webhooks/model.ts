import { Schema, type Types } from 'mongoose';
import { defineModel, deleteInBatches } from '#platform/database';
import { DAY_S } from '#platform/time';
import { type WorkDoc, workFields } from '#platform/work';
import type { ClaimedHow, Delivery, DeliveryFailure, DeliveryStatus, ToldEvent } from './contract.ts';

/**
 * An event on its way to a webhook: the outbox, and afterwards the log. It holds ids only, and the body is made when it is
 * sent, so that nothing of a conversation is kept a second time.
 */
export interface DeliveryDoc extends WorkDoc {
  /** Also the header `webhook-id`. Made from what happened, so that one event is in the outbox once. */
  _id: string;
  webhook: Types.ObjectId;
  site: Types.ObjectId;
  event: Delivery['event'];
  /** The ordering key, which is the id of the chat or visitor: of each lane, one delivery is under way at a time (FIFO). */
  lane: string;
  /** The order within the lane, unique there. */
  order: number;
  chat?: Types.ObjectId;
  visitor?: Types.ObjectId;
  message?: Types.ObjectId;
  /** The text of an article in one language. */
  text?: Types.ObjectId;
  /** Who did it; who had the chat before; how it came to its claimer. */
  by?: Types.ObjectId;
  from?: Types.ObjectId;
  how?: ClaimedHow;
  /** The rule that applied, by the name that it had. */
  rule?: { _id: string; name: string };
  /** When it happened. */
  at: Date;
  /** When it was put into the outbox, or sent again by hand. */
  createdAt: Date;
  attempts: number;
  status: DeliveryStatus;
  /** Of the log's entry for dropped events: how many were dropped. */
  count?: number;
  /** The ids of dropped events whose marks may still stand. */
  unsettled?: string[];
  answerStatus?: number;
  failure?: DeliveryFailure;
  answer?: string;
  triedAt?: Date;
  doneAt?: Date;
}

/** An event for the outbox, before it is known which webhooks subscribe to it. */
export type Entry = Pick<
  DeliveryDoc,
  'lane' | 'order' | 'at' | 'chat' | 'visitor' | 'message' | 'text' | 'by' | 'from' | 'how' | 'rule'
> & {
  /** Makes the ids. */
  key: string;
  event: ToldEvent;
};

/** How long a delivery is kept, for the log. */
const KEPT_S = 8 * DAY_S;

const deliverySchema = new Schema<DeliveryDoc>(
  {
    _id: { type: String, required: true },
    webhook: { type: Schema.Types.ObjectId, required: true },
    site: { type: Schema.Types.ObjectId, required: true },
    event: { type: String, required: true },
    lane: { type: String, required: true },
    order: { type: Number, required: true },
    chat: { type: Schema.Types.ObjectId },
    visitor: { type: Schema.Types.ObjectId },
    message: { type: Schema.Types.ObjectId },
    text: { type: Schema.Types.ObjectId },
    by: { type: Schema.Types.ObjectId },
    from: { type: Schema.Types.ObjectId },
    how: { type: String },
    rule: { type: new Schema({ _id: String, name: String }, { _id: false }) },
    at: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    ...workFields,
    status: { type: String, required: true },
    count: { type: Number },
    unsettled: { type: [String], default: undefined },
    answerStatus: { type: Number },
    failure: { type: String },
    answer: { type: String },
    triedAt: { type: Date },
    doneAt: { type: Date },
  },
  { versionKey: false },
);
const WAITING = { partialFilterExpression: { dueAt: { $exists: true } } };
deliverySchema.index({ webhook: 1, dueAt: 1, order: 1 }, WAITING);
deliverySchema.index({ webhook: 1, lane: 1, order: 1 }, WAITING);
deliverySchema.index({ webhook: 1, doneAt: -1 }, { partialFilterExpression: { doneAt: { $exists: true } } });
deliverySchema.index({ webhook: 1, createdAt: -1 });
deliverySchema.index({ site: 1 });
deliverySchema.index({ chat: 1 }, { partialFilterExpression: { chat: { $exists: true } } });
deliverySchema.index({ visitor: 1 }, { partialFilterExpression: { visitor: { $exists: true } } });
deliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: KEPT_S });
export const DeliveryModel = defineModel<DeliveryDoc>('WebhookDelivery', deliverySchema, 'webhookDeliveries');

/** Removes the deliveries of a deleted site. */
export async function purgeDeliveries(site: Types.ObjectId, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(DeliveryModel, { site }, signal);
}

/** The id of the log's entry for everything that was dropped. */
export const droppedId = (webhook: Types.ObjectId) => `msg_dropped_${webhook}`;

/** Finished deliveries that are kept for the log of a webhook. */
const LOG_KEPT = 200;

/** Deletes the oldest entries of a webhook's log. */
export async function shortenLog(webhook: Types.ObjectId): Promise<void> {
  const done = { webhook, doneAt: { $exists: true } };
  const [first] = await DeliveryModel.find(done, { doneAt: 1 }).sort({ doneAt: -1 }).skip(LOG_KEPT).limit(1).lean();
  if (first?.doneAt) await deleteInBatches(DeliveryModel, { webhook, doneAt: { $lte: first.doneAt } });
}
