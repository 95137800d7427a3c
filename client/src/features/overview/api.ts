import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Chat, OVERVIEW_RECENT, type Overview } from 'server/contract';
import { call } from '../../lib/api.ts';
import { localTimeZone } from '../../lib/format.ts';
import { keys, markRequested } from '../../lib/query.ts';
import type { Activity } from './activity.ts';

/** Refetch interval: the figures cover the weeks up to now, so they change without events. */
const REFETCH_EVERY_MS = 5 * 60_000;
const NONE: Activity[] = [];
/** Rows of the list while it is on the screen; the server answers with `OVERVIEW_RECENT`. */
const RECENT_MAX = 10;

/** The figures of all the user's sites, and the latest chats as they are now. */
export function useOverview() {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.overview,
    queryFn: async ({ signal }) => {
      markRequested(client, keys.overview);
      const fresh = await call('GET /overview', { query: { tz: localTimeZone() }, signal });
      // Read after the request: events may have changed it meanwhile.
      const held = client.getQueryData<Overview>(keys.overview);
      return { ...fresh, recent: mergeRecent(held?.recent ?? [], fresh.recent) };
    },
    refetchInterval: REFETCH_EVERY_MS,
  });
}

/** Activities since the dashboard was opened, collected by `live.ts`; the server does not store them. */
export function useActivity(): readonly Activity[] {
  const { data } = useQuery({
    queryKey: keys.activity,
    queryFn: () => NONE,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? NONE;
}

/** Inserts or updates a chat, newest activity first; an older revision changes nothing. */
export function upsertRecent(recent: readonly Chat[], chat: Chat): Chat[] {
  const held = recent.find(({ _id }) => _id === chat._id);
  if (held && held.rev > chat.rev) return [...recent];
  return newestFirst([chat, ...recent.filter(({ _id }) => _id !== chat._id)]);
}

/**
 * Merges a new answer of the server, which has the newest chats, into the list: of the other chats, only
 * older ones are kept.
 */
function mergeRecent(held: readonly Chat[], fresh: readonly Chat[]): Chat[] {
  const oldest = fresh.at(-1)?.metadata.lastActivity;
  if (fresh.length < OVERVIEW_RECENT || oldest === undefined) return newestFirst(fresh);
  const newest = fresh.map((chat) => held.find(({ _id, rev }) => _id === chat._id && rev > chat.rev) ?? chat);
  const known = new Set(fresh.map(({ _id }) => _id));
  const older = held.filter(({ _id, metadata }) => !known.has(_id) && metadata.lastActivity <= oldest);
  return newestFirst([...newest, ...older]);
}

function newestFirst(chats: readonly Chat[]): Chat[] {
  return chats.toSorted((a, b) => b.metadata.lastActivity.localeCompare(a.metadata.lastActivity)).slice(0, RECENT_MAX);
}
