import { Types } from 'mongoose';
import type { Context } from '#app/context';
import type { Feature } from '#app/feature';
import { deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import { endWebhooksOf } from './keys.ts';
import { DeliveryModel, purgeDeliveries } from './model.ts';
import { fillOutboxes, outboxes } from './outbox.ts';
import { webhookRoutes } from './routes.ts';

/** What happens on a site, sent to addresses of its owner's choice. */
export const webhooks: Feature = {
  routes: (context) => [webhookRoutes(context)],
  listeners: ({ now }) => [
    events.on('apiKeyRevoked', ({ userId }) => endWebhooksOf(userId, now())),
    events.on('chatErased', ({ chatId }) => deleteInBatches(DeliveryModel, { chat: new Types.ObjectId(chatId) })),
    events.on('visitorErased', ({ visitor }) => deleteInBatches(DeliveryModel, { visitor: visitor._id })),
  ],
  projections: (context) => [outboxes(context)],
  start: async (context) => startDelivering(context),
  purge: () => [purgeDeliveries],
};

/** Starts filling the outbox and delivering what is in it. @returns a disposer */
function startDelivering({ deliverer, now }: Pick<Context, 'deliverer' | 'now'>): () => Promise<void> {
  const stopListening = events.stopAll([
    fillOutboxes({ now }),
    events.on('webhooksAwaited', ({ webhooks: ids }) => {
      for (const id of ids) deliverer.wake(id);
    }),
  ]);
  deliverer.start();
  return async () => {
    stopListening();
    await deliverer.stop();
  };
}
