import type { Feature } from '#app/feature';
import { broadcastSettings } from './broadcast.ts';
import { settingsRoutes } from './routes.ts';

/** The settings of an account. */
export const settings: Feature = {
  routes: (context) => [settingsRoutes(context)],
  sockets: { broadcast: ({ staff }) => [broadcastSettings(staff)] },
};
