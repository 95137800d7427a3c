import type { Feature } from '../feature.ts';
import { purgeUsage, UsageModel } from './model.ts';
import { usageRoutes } from './routes.ts';
import { announceStorage } from './watch.ts';

/** What sites store. */
export const usage: Feature = {
  models: [UsageModel],
  inReserve: { usages: {} },
  routes: (context) => [usageRoutes(context)],
  sockets: {
    broadcast: ({ staff }) => [announceStorage(staff)],
  },
  purge: () => [purgeUsage],
};
