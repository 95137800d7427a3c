import type { Feature } from '#app/feature';
import { selfCheckRoutes } from './routes.ts';

/** The self-check: which parts of the server work. */
export const selfcheck: Feature = {
  routes: (context) => [selfCheckRoutes(context)],
};
