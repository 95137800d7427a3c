import type { Feature } from '#app/feature';
import { broadcastTeams } from './broadcast.ts';
import { purgeInvites } from './model.ts';
import { teamRoutes } from './routes.ts';

/** The members of a site, their roles, and invites. */
export const team: Feature = {
  routes: (context) => [teamRoutes(context)],
  sockets: {
    broadcast: ({ staff }) => [broadcastTeams(staff)],
  },
  purge: () => [purgeInvites],
};
