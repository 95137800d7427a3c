import { Schema, Types } from 'mongoose';
import { hasSubscriber, rulesFor, type SiteWithRules, type SiteWithWebhooks } from '#features/sites';
import type { ClaimedHow, WebhookEvent } from '#features/webhooks/contract';
import type { MessageDoc } from './messageModel.ts';

/** An event without a message. It is stored in the chat by the write that causes it (transactional outbox), until the webhooks' outbox has it. */
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

/** The most events that a chat keeps while the outbox cannot be written. */
const OUTBOX_EVENTS_MAX = 50;
/** The events that follow from messages. */
const OF_MESSAGES = [
  'chat.opened',
  'message.created',
  'chat.closed',
  'chat.reopened',
  'assistant.answered',
  'assistant.handed_over',
] as const;

/** New marks of a row, for webhooks and for rules. */
export interface Marks {
  untold?: Types.ObjectId;
  unruled?: Types.ObjectId;
}

/** What of a site decides which marks its chats get. */
export type MarkingSite = SiteWithWebhooks & SiteWithRules;

/** The marks that a row gets with these messages: those for which the site has webhooks or rules. */
export function marksOf(site: MarkingSite, messages: Pick<MessageDoc, 'sender' | 'event'>[]): Marks {
  const isRuled = messages.some(({ sender, event }) => {
    if (sender === 'visitor') return rulesFor(site, 'opened', 'message', 'unanswered').length > 0;
    return event === 'closed' && rulesFor(site, 'closed').length > 0;
  });
  return {
    ...(hasSubscriber(site, OF_MESSAGES) && { untold: new Types.ObjectId() }),
    ...(isRuled && { unruled: new Types.ObjectId() }),
  };
}

/** The parts of an update that store an event and the mark for webhooks. */
export interface OutboxUpdate {
  fields: { untold?: Types.ObjectId };
  $push?: { happened: { $each: ChatOutboxEvent[]; $slice: number } };
}

/** The facts of an event at its time; null: there is no such person. */
type Facts = { [Name in 'by' | 'from']?: Types.ObjectId | null } & Pick<ChatOutboxEvent, 'how' | 'message' | 'edit'>;

/** The parts of an update that emit an event to webhooks, even if the process dies right after it. Empty without a subscriber. */
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
