import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Overview } from 'server/contract';
import { call } from '../../lib/api.ts';
import { timeZone } from '../../lib/format.ts';
import { keys, markAsked } from '../../lib/query.ts';
import type { Activity } from './activity.ts';
import { mergeRecent } from './recent.ts';

/** The figures are those of weeks up to now: without any event, too, they change. */
const REFETCH_EVERY_MS = 5 * 60_000;

/** The figures of all the user's sites, and the latest chats as they are now. */
export function useOverview() {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.overview,
    queryFn: async ({ signal }) => {
      markAsked(client, keys.overview);
      const fresh = await call('GET /overview', { query: { tz: timeZone }, signal });
      // Read only now: events may have come in meanwhile.
      const held = client.getQueryData<Overview>(keys.overview);
      return { ...fresh, recent: mergeRecent(held?.recent ?? [], fresh.recent) };
    },
    refetchInterval: REFETCH_EVERY_MS,
  });
}

const NONE: Activity[] = [];

/** What has happened since the dashboard was opened, gathered by `live.ts`; nobody can be asked for it. */
export function useActivity(): readonly Activity[] {
  const { data } = useQuery({
    queryKey: keys.activity,
    queryFn: () => NONE,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}
