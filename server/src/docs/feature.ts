import type { Feature } from '../feature.ts';
import { docsRoutes } from './routes.ts';

/** The documentation of the product and its HTTP API. */
export const docs: Feature = {
  routes: (context) => [docsRoutes(context)],
};
