import type { Feature } from '#app/feature';
import { countChats } from '#features/overview';
import { broadcastSites, watchRooms } from './broadcast.ts';
import { siteRoutes } from './routes.ts';

/** The websites that carry the widget. */
export const sites: Feature = {
  routes: (context) => [siteRoutes({ ...context, countChats })],
  sockets: {
    broadcast: ({ staff }, { cluster }) => [broadcastSites(staff), watchRooms(staff, cluster)],
  },
};
