import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { PresenceChange, TeamMember } from 'server/contract';
import { keys } from '../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../lib/socket.tsx';

/** Keeps the teams' data up to date. Mounted once, by the frame of the dashboard. */
export function useTeamLive(): void {
  const client = useQueryClient();
  useSocketEvents(handlersOf(client), () => {
    for (const queryKey of [keys.team(), keys.departments()]) void client.invalidateQueries({ queryKey });
  });
}

function handlersOf(client: QueryClient): SocketHandlers {
  const onPresence = (online: boolean) => (event: PresenceChange) => {
    if (event.kind !== 'agent') return;
    client.setQueriesData<TeamMember[]>({ queryKey: keys.team() }, (held) =>
      held?.map((each) => (each._id === event.userId && 'online' in each ? { ...each, online } : each)),
    );
  };
  return {
    user_online: onPresence(true),
    user_offline: onPresence(false),
    // Roles and membership decide what else is visible.
    team_updated: ({ siteId }) => {
      const { sites, site, departments, team, chats } = keys;
      for (const queryKey of [team(siteId), sites, site(siteId), departments(siteId), chats()])
        void client.invalidateQueries({ queryKey });
    },
  };
}
