import type { Feature } from '../feature.ts';
import { startCountingGreetings } from './figures.ts';
import { GreetingFiguresModel, purgeGreetingFigures } from './model.ts';
import { greetingRoutes } from './routes.ts';

/** How often the widget's greetings were shown and answered. */
export const greetings: Feature = {
  models: [GreetingFiguresModel],
  inReserve: { greetingFigures: {} },
  routes: (context) => [greetingRoutes(context)],
  start: startCountingGreetings,
  purge: () => [purgeGreetingFigures],
};
