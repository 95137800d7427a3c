import { type InfiniteData, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type { LiveVisitor, PresenceFact } from 'server/contract';
import { type Heard, useHeard } from '../../lib/heard.ts';
import { keys } from '../../lib/query.ts';
import { throttle } from '../../lib/timing.ts';

/** A crowd that comes in together is one reason to read the list again, not many. */
const REFETCH_AFTER_MS = 300;

/** Keeps the list of a site's visitors as it is, for as long as somebody looks at it. */
export function useVisitorsLive(siteId: string): void {
  const client = useQueryClient();
  const reload = useCallback(
    () => void client.invalidateQueries({ queryKey: keys.visitors(siteId) }),
    [client, siteId],
  );
  useHeard(
    useMemo(() => heardBy(client, siteId), [client, siteId]),
    reload,
  );
}

function heardBy(client: QueryClient, siteId: string): Heard {
  const refetch = throttle(() => void client.invalidateQueries({ queryKey: keys.visitors(siteId) }), REFETCH_AFTER_MS);
  const read = (of: string) => {
    if (of === siteId) refetch();
  };
  const onPresence = (fact: PresenceFact) => fact.kind === 'visitor' && read(fact.siteId);
  return {
    user_online: onPresence,
    user_offline: onPresence,
    visitor_updated: ({ visitorId, siteId: of, ...known }) => of === siteId && patch(client, siteId, visitorId, known),
    visitor_erased: ({ siteId }) => read(siteId),
    new_chat: ({ chat }) => read(chat.site._id),
    chat_closed: () => read(siteId),
  };
}

/** What is known of somebody by now, in the row that shows it. */
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
