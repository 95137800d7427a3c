import type { Feature } from '../feature.ts';
import { selfCheckRoutes } from './routes.ts';

/** What of the server works. */
export const selfcheck: Feature = {
  routes: (context) => [selfCheckRoutes(context)],
};
