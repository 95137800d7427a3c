import type { Feature } from '../feature.ts';
import { purgeUsage, UsageModel } from './model.ts';
import { usageRoutes } from './routes.ts';
import { broadcastStorage } from './watch.ts';

/** Storage use of sites and of the disk. */
export const usage: Feature = {
  models: [UsageModel],
  inReserve: { usages: {} },
  droppedIndexes: { usages: ['inUse_1'] },
  routes: (context) => [usageRoutes(context)],
  sockets: {
    broadcast: ({ staff }) => [broadcastStorage(staff)],
  },
  purge: () => [purgeUsage],
};
