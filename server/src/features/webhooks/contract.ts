import type { AnswerSource, HandOverReason } from '#features/assistant/contract';
import type { Sender } from '#features/chats/contract';
import type { DepartmentName } from '#features/departments/contract';

/** The most webhooks that one site may have. */
export const WEBHOOKS_MAX = 5;
export const WEBHOOK_URL_MAX_LENGTH = 1_000;
/** Deliveries that a webhook's log shows. */
export const WEBHOOK_LOG_MAX = 50;
/** How long, in hours, the server tries to deliver an event, and how long a replaced secret still signs. */
export const WEBHOOK_TRIED_HOURS = 24;
/** The time in seconds that a receiver has to answer. */
export const WEBHOOK_ANSWER_MAX_S = 10;
/** The most characters of a receiver's answer that the log keeps. */
export const WEBHOOK_ANSWER_MAX_LENGTH = 200;

/**
 * Where a webhook leads. `custom` is a program of the owner's: it gets signed JSON. The others are ready-made: they get
 * messages that people read.
 */
export const WEBHOOK_KINDS = ['custom', 'slack', 'discord', 'teams', 'mattermost', 'telegram'] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

/** Telegram's own Bot API; people may run one themselves. */
export const TELEGRAM_API_URL = 'https://api.telegram.org';
export const BOT_TOKEN_MAX_LENGTH = 100;
export const TELEGRAM_CHAT_MAX_LENGTH = 50;
/** The most characters of a text that ready-made targets get. */
export const WEBHOOK_EXCERPT_MAX_LENGTH = 500;

/** The events that a webhook can subscribe to, in the order of the settings. */
export const WEBHOOK_EVENTS = [
  'chat.opened',
  'message.created',
  'message.updated',
  'message.deleted',
  'chat.claimed',
  'chat.handed_back',
  'chat.closed',
  'chat.reopened',
  'chat.rated',
  'visitor.identified',
  'article.published',
  'assistant.answered',
  'assistant.handed_over',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** What a webhook is told: the events of its choice, and that a rule of the site applied which names it. */
export type ToldEvent = WebhookEvent | 'rule.applied';

/** How a team member came to have a chat: by hand, by the server, from a colleague, or by opening a closed one again. */
export const CLAIMED_HOW = ['claimed', 'assigned', 'transferred', 'reopened'] as const;
export type ClaimedHow = (typeof CLAIMED_HOW)[number];

/** A webhook as the site's admins see it. */
export interface Webhook {
  _id: string;
  kind: WebhookKind;
  /** null: it was encrypted with another `DATA_KEY`, and has to be entered again. */
  url: string | null;
  /** The chat in Telegram; null: it is of another kind. */
  telegramChat: string | null;
  events: WebhookEvent[];
  enabled: boolean;
  /** Since when no delivery has succeeded; null: the last one did. ISO 8601 UTC. */
  failingSince: string | null;
  /** When the server switched it off; null: it did not. */
  switchedOffAt: string | null;
  /**
   * Why: no delivery had succeeded for a day, or the API key with which it was made or last changed was revoked or has
   * expired.
   */
  switchedOffFor: 'failing' | 'api_key' | null;
  createdAt: string;
}

/** The fields of a new webhook. */
export interface WebhookBody {
  /** By default `custom`. */
  kind?: WebhookKind;
  /** Of Telegram: the address of the Bot API. */
  url: string;
  /** Of Telegram: the bot's token. It is never shown again, and an address at another host needs it again. */
  botToken?: string;
  /** Of Telegram: the chat's id, or the name of a public channel. */
  telegramChat?: string;
  events: WebhookEvent[];
}

/** What may be changed of a webhook; what is left out stays as it is. */
export interface WebhookPatch extends Partial<Omit<WebhookBody, 'kind'>> {
  enabled?: boolean;
}

/** `waiting`: to be sent or tried again. `failed`: given up. `dropped`: never sent, because too many were waiting. */
export type DeliveryStatus = 'waiting' | 'sent' | 'failed' | 'dropped';

/** A webhook of a site that the caller administers was switched off, because nothing was accepted for a day. */
export interface WebhookNotice {
  about: 'webhook';
  siteId: string;
  siteName: string;
  /** ISO 8601 UTC. */
  since: string;
}

/** Why there was no answer that counts. */
export type DeliveryFailure = 'status' | 'timeout' | 'connection' | 'certificate' | 'private_address' | 'secret';

/** One event on its way to a webhook. */
export interface Delivery {
  /** As in the header `webhook-id`. */
  _id: string;
  event: ToldEvent | 'webhook.test';
  status: DeliveryStatus;
  /** How many events the entry stands for; more than one were dropped. */
  count: number;
  attempts: number;
  /** HTTP status of the last answer; null: there was none. */
  answerStatus: number | null;
  failure: DeliveryFailure | null;
  /** The beginning of the last answer to a delivery that failed. */
  answer: string;
  /** When it happened. ISO 8601 UTC. */
  at: string;
  triedAt: string | null;
  /** When it is tried next; null: never. */
  nextAt: string | null;
}

/** The calls of webhooks. */
export interface WebhooksApi {
  'GET /sites/:id/webhooks': { data: { webhooks: Webhook[] } };
  /** Ready-made targets have no secret, because they check no signature. */
  'POST /sites/:id/webhooks': { body: WebhookBody; data: { webhook: Webhook; secret: string | null } };
  'PATCH /sites/:id/webhooks/:webhookId': { body: WebhookPatch; data: { webhook: Webhook } };
  'DELETE /sites/:id/webhooks/:webhookId': { data: Record<string, never> };
  'GET /sites/:id/webhooks/:webhookId/secret': { data: { secret: string } };
  /** A new secret; the old one signs beside it for a day. */
  'POST /sites/:id/webhooks/:webhookId/secret': { data: { secret: string } };
  /** Sends the event `webhook.test`, and answers when the receiver has. */
  'POST /sites/:id/webhooks/:webhookId/test': { data: { delivery: Delivery } };
  /** The last deliveries, newest first. */
  'GET /sites/:id/webhooks/:webhookId/deliveries': { data: { deliveries: Delivery[] } };
  'POST /sites/:id/webhooks/:webhookId/deliveries/:deliveryId/resend': { data: { delivery: Delivery } };
}

/** A person of the team in a webhook's body. */
interface WebhookPerson {
  _id: string;
  name: string;
}

/** A chat in a webhook's body. */
export interface WebhookChat {
  _id: string;
  status: 'waiting' | 'active' | 'closed';
  claimedBy: WebhookPerson | null;
  /** The department that it is for; null: none. */
  department: DepartmentName | null;
  tags: string[];
  createdAt: string;
  /** Opens the chat in the dashboard; null: the server has no `PUBLIC_URL`. */
  url: string | null;
}

/** A message in a webhook's body. */
export interface WebhookMessage {
  _id: string;
  /** The message's number in its chat, from 1. */
  seq: number;
  sender: Sender;
  senderName: string | null;
  type: 'text' | 'file' | 'system';
  /** The text, or the name of the file; empty when its author has deleted it. */
  content: string;
  /** Whether `content` has formatting, as `**bold**` or `[name](https://…)`. */
  formatted: boolean;
  /** Whether the author answered a mail. */
  byMail: boolean;
  createdAt: string;
  /** When its author corrected or deleted it; null: never. */
  editedAt: string | null;
  deletedAt: string | null;
}

/** The visitor in a webhook's body. */
export interface WebhookVisitor {
  _id: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  /** The website's own id of the visitor. */
  userId: string | null;
  /** Whether the website's server has proved `userId`. */
  verified: boolean;
}

/** An article in a webhook's body. */
export interface WebhookArticle {
  _id: string;
  title: string;
  lang: string;
  /** Its public page; null: the help centre is switched off, or the server has no `PUBLIC_URL`. */
  url: string | null;
}

/** What is known of an event; which parts there are depends on its type. */
export interface WebhookData {
  site: { _id: string; name: string };
  visitor?: WebhookVisitor;
  chat?: WebhookChat;
  message?: WebhookMessage;
  /** Who claimed, closed, reopened or gave back the chat; null: the visitor or the server. */
  by?: WebhookPerson | null;
  /** The claimer before; null: none. */
  from?: WebhookPerson | null;
  how?: ClaimedHow;
  rating?: { score: number; comment: string | null };
  article?: WebhookArticle;
  /** The articles that an answer of the assistant is made of. */
  sources?: AnswerSource[];
  /** Why a person is to take over from the assistant. */
  reason?: HandOverReason;
  /** The rule of the site that applied. */
  rule?: { _id: string; name: string };
}

/** The body of a webhook's request, as Standard Webhooks recommends it. */
export interface WebhookPayload {
  type: ToldEvent | 'webhook.test';
  /** When it happened. ISO 8601 UTC. */
  timestamp: string;
  data: WebhookData;
}
