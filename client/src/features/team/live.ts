import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { PresenceChange, TeamMember } from 'server/contract';
import { keys } from '../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../lib/socket.tsx';

/** Keeps the teams' data up to date. Mounted once, by the frame of the dashboard. */
export function useTeamLive(): void {
  const client = useQueryClient();
  useSocketEvents(handlersOf(client), () => void client.invalidateQueries({ queryKey: keys.team() }));
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
      for (const queryKey of [keys.team(siteId), keys.sites, keys.site(siteId), keys.chats()]) {
        void client.invalidateQueries({ queryKey });
      }
    },
  };
}
