import type { Feature } from '../feature.ts';
import { startFigures } from './count.ts';
import { FigureModel, purgeFigures } from './model.ts';
import { overviewRoutes } from './routes.ts';

/** The figures of the Overview. */
export const overview: Feature = {
  models: [FigureModel],
  inReserve: { figures: {} },
  routes: (context) => [overviewRoutes(context)],
  start: async () => (await startFigures()).stop,
  purge: () => [purgeFigures],
};
