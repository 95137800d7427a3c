import { kindOf, type WebhookDoc } from '#features/sites';
import type { SecretBox } from '#platform/secrets';
import type { Delivery, Webhook } from './contract.ts';
import type { DeliveryDoc } from './model.ts';
import { decryptTarget } from './signature.ts';

/** A webhook as the site's admins see it. */
export function webhookView(box: SecretBox, webhook: WebhookDoc): Webhook {
  const { _id, events, enabled, failingSince, switchedOffAt, switchedOffFor = 'failing', createdAt } = webhook;
  const target = decryptTarget(box, webhook);
  return {
    _id: _id.toHexString(),
    kind: kindOf(webhook),
    url: target?.url ?? null,
    telegramChat: target?.telegramChat ?? null,
    events: [...events],
    enabled,
    failingSince: failingSince?.toISOString() ?? null,
    switchedOffAt: switchedOffAt?.toISOString() ?? null,
    switchedOffFor: switchedOffAt ? switchedOffFor : null,
    createdAt: createdAt.toISOString(),
  };
}

/** An entry of a webhook's log. */
export function deliveryView(delivery: DeliveryDoc): Delivery {
  const { _id, event, status, attempts, answerStatus, failure, answer, at, triedAt, dueAt } = delivery;
  return {
    _id,
    event,
    status,
    count: delivery.count ?? 1,
    attempts,
    answerStatus: answerStatus ?? null,
    failure: failure ?? null,
    answer: answer ?? '',
    at: at.toISOString(),
    triedAt: triedAt?.toISOString() ?? null,
    nextAt: dueAt?.toISOString() ?? null,
  };
}
