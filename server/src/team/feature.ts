import type { Feature } from '../feature.ts';
import { broadcastTeams } from './broadcast.ts';
import { InviteModel, purgeInvites } from './model.ts';
import { teamRoutes } from './routes.ts';

/** Who works on a site, and in which role. */
export const team: Feature = {
  models: [InviteModel],
  routes: (context) => [teamRoutes(context)],
  sockets: {
    broadcast: ({ staff }) => [broadcastTeams(staff)],
  },
  purge: () => [purgeInvites],
};
