import type { Feature } from '#app/feature';
import { docsRoutes } from './routes.ts';

/** The documentation of the product and its HTTP API. */
export const docs: Feature = {
  routes: (context) => [docsRoutes(context)],
};
