import type { Feature } from '#app/feature';
import { figures, purgeFigures, startCounting } from './count.ts';
import { overviewRoutes } from './routes.ts';

/** The figures of the Overview. */
export const overview: Feature = {
  inReserve: { figures: {}, countedChats: {}, figureBatches: {} },
  routes: (context) => [overviewRoutes(context)],
  projections: () => [figures],
  start: async () => startCounting(),
  purge: () => [purgeFigures],
};
