import type { Feature } from '#app/feature';
import { historyRoutes } from './routes.ts';

/** The history of chats: a filtered list of them. */
export const history: Feature = {
  routes: (context) => [historyRoutes(context)],
};
