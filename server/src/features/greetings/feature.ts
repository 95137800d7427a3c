import type { Feature } from '#app/feature';
import { startCountingGreetings } from './figures.ts';
import { purgeGreetingFigures } from './model.ts';
import { greetingRoutes } from './routes.ts';

/** How often the widget's greetings were shown and answered. */
export const greetings: Feature = {
  inReserve: { greetingFigures: {} },
  routes: (context) => [greetingRoutes(context)],
  start: startCountingGreetings,
  purge: () => [purgeGreetingFigures],
};
