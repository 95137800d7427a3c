import { Schema, Types } from 'mongoose';
import { hasSubscriber, type SiteWithWebhooks } from '#features/sites';
import type { ClaimedHow, WebhookEvent } from '#features/webhooks/contract';

/** What happens to a chat without a new message, and is kept with the chat until its site's webhooks have it in their outbox. */
export interface ChatOutboxEvent {
  _id: Types.ObjectId;
  event: WebhookEvent & ('chat.claimed' | 'chat.handed_back' | 'chat.rated' | 'message.updated' | 'message.deleted');
  at: Date;
  /** The number of the chat's newest message at that time. */
  seq: number;
  /** Who did it; of a claim, who has the chat now. */
  by?: Types.ObjectId;
  /** Who had the chat before. */
  from?: Types.ObjectId;
  how?: ClaimedHow;
  /** The message that was changed, and the number of the change. */
  message?: Types.ObjectId;
  edit?: number;
}

export const outboxEventSchema = new Schema<ChatOutboxEvent>({
  event: { type: String, required: true },
  at: { type: Date, required: true },
  seq: { type: Number, required: true },
  by: { type: Schema.Types.ObjectId },
  from: { type: Schema.Types.ObjectId },
  how: { type: String },
  message: { type: Schema.Types.ObjectId },
  edit: { type: Number },
});

/** Enough for what happens while the outbox cannot be written. */
const OUTBOX_EVENTS_MAX = 50;
/** The events that follow from messages. */
const OF_MESSAGES = ['chat.opened', 'message.created', 'chat.closed', 'chat.reopened'] as const;

/** Part of a row's new state: a new mark, where the site's webhooks are to be told of the messages in it. */
export function webhookMark(site: SiteWithWebhooks): { untold?: Types.ObjectId } {
  return hasSubscriber(site, OF_MESSAGES) ? { untold: new Types.ObjectId() } : {};
}

/** Parts of an update that mark what happened as untold. */
export interface OutboxUpdate {
  fields: { untold?: Types.ObjectId };
  $push?: { happened: { $each: ChatOutboxEvent[]; $slice: number } };
}

/** Facts of what happened, as they are at that time; null: there is no such person. */
type Facts = { [Name in 'by' | 'from']?: Types.ObjectId | null } & Pick<ChatOutboxEvent, 'how' | 'message' | 'edit'>;

/** Parts of an update, by which the site's webhooks are told of it even if the process dies afterwards. */
export function outboxUpdate(
  { chat, site }: { chat: { lastSeq: number }; site: SiteWithWebhooks },
  event: ChatOutboxEvent['event'],
  { by, from, ...facts }: Facts = {},
  at = new Date(),
): OutboxUpdate {
  if (!hasSubscriber(site, [event])) return { fields: {} };
  const _id = new Types.ObjectId();
  const outboxEvent = { _id, event, at, seq: chat.lastSeq, ...facts, ...(by && { by }), ...(from && { from }) };
  return { fields: { untold: _id }, $push: { happened: { $each: [outboxEvent], $slice: -OUTBOX_EVENTS_MAX } } };
}
