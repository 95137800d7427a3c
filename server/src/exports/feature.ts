import type { Feature } from '../feature.ts';
import { exportRoutes } from './routes.ts';

/** Chats as text and PDF. */
export const exporting: Feature = {
  routes: (context) => [exportRoutes(context)],
};
