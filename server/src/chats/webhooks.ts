import { Schema, Types } from 'mongoose';
import { isTold, type SiteWithWebhooks } from '../sites/webhooks.ts';
import type { WebhookEvent } from '../webhooks/contract.ts';

/** What happens to a chat without a message, and is kept with the chat until its site's webhooks have it in their outbox. */
export interface Happening {
  _id: Types.ObjectId;
  event: WebhookEvent & ('chat.claimed' | 'chat.rated');
  at: Date;
  /** The number of the chat's newest message at that time. */
  seq: number;
  /** Who did it. */
  by?: Types.ObjectId;
}

export const happeningSchema = new Schema<Happening>({
  event: { type: String, required: true },
  at: { type: Date, required: true },
  seq: { type: Number, required: true },
  by: { type: Schema.Types.ObjectId },
});

/** Enough for what happens while the outbox cannot be written. */
const HAPPENINGS_MAX = 50;
/** The events that follow from messages. */
const OF_MESSAGES = ['chat.opened', 'message.created', 'chat.closed'] as const;

/** Part of a row's new state: a new mark, where the site's webhooks are to be told of the messages in it. */
export function untoldMessages(site: SiteWithWebhooks): { untold?: Types.ObjectId } {
  return isTold(site, OF_MESSAGES) ? { untold: new Types.ObjectId() } : {};
}

/** Parts of an update, by which the site's webhooks are told of it even if the process dies afterwards. */
export function untoldUpdate(
  { chat, site }: { chat: { lastSeq: number }; site: SiteWithWebhooks },
  event: Happening['event'],
  by?: Types.ObjectId,
): { fields: { untold?: Types.ObjectId }; $push?: { happened: { $each: Happening[]; $slice: number } } } {
  if (!isTold(site, [event])) return { fields: {} };
  const _id = new Types.ObjectId();
  const happening = { _id, event, at: new Date(), seq: chat.lastSeq, ...(by && { by }) };
  return { fields: { untold: _id }, $push: { happened: { $each: [happening], $slice: -HAPPENINGS_MAX } } };
}
