import type { Feature } from '#app/feature';
import { broadcastViews } from './broadcast.ts';
import { purgeViews } from './model.ts';
import { inboxRoutes } from './routes.ts';

/** The inbox besides its chats: counts, tags to filter by, and saved views. */
export const inbox: Feature = {
  routes: (context) => [inboxRoutes(context)],
  sockets: { broadcast: ({ staff }) => [broadcastViews(staff)] },
  purge: () => [purgeViews],
};
