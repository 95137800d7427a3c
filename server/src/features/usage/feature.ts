import type { Feature } from '#app/feature';
import { purgeUsage } from './model.ts';
import { usageRoutes } from './routes.ts';
import { broadcastStorage } from './watch.ts';

/** Storage use of sites and of the disk. */
export const usage: Feature = {
  inReserve: { usages: {} },
  routes: (context) => [usageRoutes(context)],
  sockets: {
    broadcast: ({ staff }) => [broadcastStorage(staff)],
  },
  purge: () => [purgeUsage],
};
