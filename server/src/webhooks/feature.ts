import { Types } from 'mongoose';
import { deleteInBatches } from '../bulk.ts';
import { events } from '../events.ts';
import type { Feature } from '../feature.ts';
import { startJobs } from '../jobs.ts';
import type { Deliverer } from './deliver.ts';
import { DeliveryModel, purgeDeliveries } from './model.ts';
import { fillOutboxes, outboxes } from './outbox.ts';
import { webhookRoutes } from './routes.ts';

const LOOK_EVERY_MS = 1_000;

/** What happens on a site, sent to addresses of its owner's choice. */
export const webhooks: Feature = {
  routes: (context) => [webhookRoutes(context)],
  listeners: () => [
    events.on('chatErased', ({ chatId }) => deleteInBatches(DeliveryModel, { chat: new Types.ObjectId(chatId) })),
    events.on('visitorErased', ({ visitor }) => deleteInBatches(DeliveryModel, { visitor: visitor._id })),
  ],
  projections: (context) => [outboxes(context)],
  start: async (context) => startDelivering(context, context.noticesEveryMs),
  purge: () => [purgeDeliveries],
};

interface DeliveringDeps {
  deliverer: Deliverer;
  /** Milliseconds */
  now: () => number;
}

/** Starts filling the outbox and delivering what is in it. @returns a disposer */
function startDelivering({ deliverer, now }: DeliveringDeps, everyMs = LOOK_EVERY_MS): () => Promise<void> {
  let isAwaited = true;
  const look = async () => {
    isAwaited = await deliverer.look();
  };
  const jobs = startJobs([look], {
    everyMs,
    now,
    failed: (error) => events.fail(error, 'webhooks'),
    isAwaited: async () => isAwaited,
  });
  const stopListening = events.stopAll([
    fillOutboxes({ now }),
    events.on('webhooksAwaited', ({ siteId, webhooks: ids }) => {
      for (const id of ids) deliverer.start(id, siteId);
      jobs.wake();
    }),
  ]);
  return async () => {
    stopListening();
    await jobs.stop();
    await deliverer.stop();
  };
}
