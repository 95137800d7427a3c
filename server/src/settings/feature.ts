import type { Feature } from '../feature.ts';
import { settingsRoutes } from './routes.ts';

/** The settings of an account. */
export const settings: Feature = {
  routes: (context) => [settingsRoutes(context)],
};
