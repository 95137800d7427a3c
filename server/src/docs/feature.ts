import type { Feature } from '../feature.ts';
import { docsRoutes } from './routes.ts';

/** The documentation. */
export const docs: Feature = {
  routes: (context) => [docsRoutes(context)],
};
