import type { Feature } from '../feature.ts';
import { countChats } from '../overview/read.ts';
import { SiteModel } from './model.ts';
import { siteRoutes } from './routes.ts';
import { announceSites, watchRooms } from './socket.ts';

/** The websites that carry the widget. */
export const sites: Feature = {
  models: [SiteModel],
  routes: (context) => [siteRoutes({ ...context, countChats })],
  sockets: {
    broadcast: ({ staff }) => [announceSites(staff), watchRooms(staff)],
  },
};
