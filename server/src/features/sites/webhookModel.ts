import { Schema, type Types } from 'mongoose';
import type { WebhookEvent, WebhookKind } from '#features/webhooks/contract';

/** A webhook of a site as stored. It is part of the site, so that asking whether a site has any costs no query. */
export interface WebhookDoc {
  _id: Types.ObjectId;
  /** Absent: `custom`. */
  kind?: WebhookKind;
  /** Address and secrets as sealed JSON, because both allow to do things in the owner's name. */
  sealed: string;
  events: WebhookEvent[];
  enabled: boolean;
  /** What happened before is not sent. */
  since: Date;
  createdAt: Date;
  /** When deliveries began to fail; removed by the first one that succeeds. */
  failingSince?: Date;
  /** When the server switched it off. */
  switchedOffAt?: Date;
  /** Why; absent: no delivery had succeeded for a day. */
  switchedOffFor?: 'api_key';
  /** The API key that set it up: the webhook does not outlive it. Absent: a person did. */
  key?: Types.ObjectId;
}

/** The schema of a site's webhooks. */
export const webhookSchema = new Schema<WebhookDoc>({
  kind: { type: String },
  sealed: { type: String, required: true },
  events: { type: [String], required: true },
  enabled: { type: Boolean, required: true },
  since: { type: Date, required: true },
  createdAt: { type: Date, required: true },
  failingSince: { type: Date },
  switchedOffAt: { type: Date },
  switchedOffFor: { type: String },
  key: { type: Schema.Types.ObjectId },
});

/** Where a webhook leads. */
export const kindOf = ({ kind = 'custom' }: Pick<WebhookDoc, 'kind'>): WebhookKind => kind;

/** The part of a site that says to which events its webhooks subscribe. */
export interface SiteWithWebhooks {
  webhooks?: WebhookDoc[];
}

/** Whether any webhook of the site subscribes to one of these events. */
export function hasSubscriber({ webhooks = [] }: SiteWithWebhooks, wanted: readonly WebhookEvent[]): boolean {
  return webhooks.some(({ enabled, events }) => enabled && wanted.some((event) => events.includes(event)));
}

/** When the server switched off a webhook that is still off, because nothing was delivered; null: it did not. Of several, the last time. */
export function switchedOffAt({ webhooks = [] }: SiteWithWebhooks): Date | null {
  const times = webhooks.flatMap(({ enabled, switchedOffAt: at, switchedOffFor: why }) =>
    at && !enabled && !why ? [at] : [],
  );
  return times.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null;
}
