import type { Feature } from '../feature.ts';
import { figures, purgeFigures, startCounting } from './count.ts';
import { BatchModel, CountedModel, FigureModel } from './model.ts';
import { overviewRoutes } from './routes.ts';

/** The figures of the Overview. */
export const overview: Feature = {
  models: [FigureModel, CountedModel, BatchModel],
  inReserve: { figures: {}, countedChats: {}, figureBatches: {} },
  routes: (context) => [overviewRoutes(context)],
  projections: () => [figures],
  start: async () => startCounting(),
  purge: () => [purgeFigures],
};
