import type { Feature } from '#app/feature';
import { exportRoutes } from './routes.ts';

/** Exports of chats as text and PDF. */
export const exporting: Feature = {
  routes: (context) => [exportRoutes(context)],
};
