import type { Feature } from '../feature.ts';
import { settingsRoutes } from './routes.ts';

/** What people set for themselves. */
export const settings: Feature = {
  routes: (context) => [settingsRoutes(context)],
};
