import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { LiveVisitor, PresenceChange } from 'server/contract';
import { keys, useReload } from '../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../lib/socket.tsx';

const RELOAD_AFTER_MS = 300;

/** Keeps the list of a site's visitors up to date while it is mounted. */
export function useVisitorsLive(siteId: string): void {
  const client = useQueryClient();
  const [reload, reloadSoon] = useReload(keys.visitors(siteId), RELOAD_AFTER_MS);
  useSocketEvents(handlersOf(client, siteId, reloadSoon), reload);
}

function handlersOf(client: QueryClient, siteId: string, reloadSoon: () => void): SocketHandlers {
  const read = (of: string) => {
    if (of === siteId) reloadSoon();
  };
  const onPresence = (event: PresenceChange) => event.kind === 'visitor' && read(event.siteId);
  return {
    user_online: onPresence,
    user_offline: onPresence,
    visitor_updated: ({ visitorId, siteId: of, ...known }) => of === siteId && patch(client, siteId, visitorId, known),
    visitor_erased: ({ siteId }) => read(siteId),
    new_chat: ({ chat }) => read(chat.site._id),
    chat_closed: () => read(siteId),
  };
}

function patch(client: QueryClient, siteId: string, visitorId: string, known: Partial<LiveVisitor>): void {
  client.setQueryData<InfiniteData<{ visitors: LiveVisitor[] }>>(
    keys.visitors(siteId),
    (held) =>
      held && {
        ...held,
        pages: held.pages.map((page) => ({
          ...page,
          visitors: page.visitors.map((visitor) => (visitor._id === visitorId ? { ...visitor, ...known } : visitor)),
        })),
      },
  );
}
