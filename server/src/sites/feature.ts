import type { Feature } from '../feature.ts';
import { countChats } from '../overview/read.ts';
import { broadcastSites, watchRooms } from './broadcast.ts';
import { siteRoutes } from './routes.ts';

/** The websites that carry the widget. */
export const sites: Feature = {
  routes: (context) => [siteRoutes({ ...context, countChats })],
  sockets: {
    broadcast: ({ staff }, { cluster }) => [broadcastSites(staff), watchRooms(staff, cluster)],
  },
};
