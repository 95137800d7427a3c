import type { Feature } from '../feature.ts';
import { historyRoutes } from './routes.ts';

/** The closed chats. */
export const history: Feature = {
  routes: (context) => [historyRoutes(context)],
};
