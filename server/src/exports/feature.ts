import type { Feature } from '../feature.ts';
import { exportRoutes } from './routes.ts';

/** Exports of chats as text and PDF. */
export const exporting: Feature = {
  routes: (context) => [exportRoutes(context)],
};
