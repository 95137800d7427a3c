import { type Query, QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { HistoryFilters } from 'server/contract';
import { isFinal } from './http.ts';
import { throttle } from './timing.ts';

/** The query cache: one retry, and no refetch on window focus. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      // `navigator.onLine` is wrong where the server is in the local network: calls are always made, and may fail.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < 1 && !isFinal(error),
        refetchOnWindowFocus: false,
        staleTime: 30_000,
      },
    },
  });
  reloadOvertaken(client);
  return client;
}

/**
 * Loads once more what was loading for the first time when the user changed it: the answer may be from before the change, and React
 * Query then forgets that it was invalidated.
 */
function reloadOvertaken(client: QueryClient): void {
  const overtaken = new WeakSet<Query>();
  client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return;
    const { query, action } = event;
    const { data, fetchStatus } = query.state;
    const isFirst = data === undefined && fetchStatus === 'fetching';
    if (action.type === 'invalidate' && isFirst && client.isMutating() > 0) overtaken.add(query);
    if (action.type === 'success' && overtaken.delete(query))
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  });
}

/** The query keys; `chats()` without a filter is the prefix of all lists. */
export const keys = {
  profile: ['profile'] as const,
  registration: ['registration'] as const,
  /** With which people sign in. */
  provider: ['provider'] as const,
  sites: ['sites'] as const,
  /** How many sites an account may own. */
  siteLimit: ['site-limit'] as const,
  site: (id: string) => ['site', id] as const,
  /** The prefix of all departments, or those of one site. */
  departments: (siteId?: string) =>
    siteId === undefined ? (['departments'] as const) : (['departments', siteId] as const),
  greetings: (siteId: string) => ['greetings', siteId] as const,
  chatPage: (siteId: string, widgetCode: string) => ['chat-page', siteId, widgetCode] as const,
  installation: (siteId: string) => ['installation', siteId] as const,
  visitors: (siteId: string) => ['visitors', siteId] as const,
  chats: (filter?: object) => (filter ? (['chats', filter] as const) : (['chats'] as const)),
  /** The prefix of all counts of the inbox, or one of them. */
  counts: (query?: object) => (query ? (['counts', query] as const) : (['counts'] as const)),
  /** What the socket has told of the sites. */
  availability: ['availability'] as const,
  views: ['views'] as const,
  tags: (siteId: string | null) => ['tags', siteId] as const,
  chat: (id: string) => ['chat', id] as const,
  chatChanges: (id: string) => ['chat changes', id] as const,
  /** The messages of a chat that contain these words. */
  find: (chatId: string, words: string) => ['find', chatId, words] as const,
  thread: (id: string) => ['thread', id] as const,
  viewers: (chatId: string) => ['viewers', chatId] as const,
  earlier: (visitorId: string) => ['earlier', visitorId] as const,
  members: (siteId: string) => ['team', siteId, 'members'] as const,
  invites: (siteId: string) => ['team', siteId, 'invites'] as const,
  /** The prefix of a site's team, or of all teams. */
  team: (siteId?: string) => (siteId === undefined ? (['team'] as const) : (['team', siteId] as const)),
  /** Everybody on the teams of the user's sites. */
  everybody: ['team', 'everybody'] as const,
  invite: (id: string) => ['invite', id] as const,
  overview: ['overview'] as const,
  activity: ['activity'] as const,
  history: (filters?: HistoryFilters) => (filters ? (['history', filters] as const) : (['history'] as const)),
  supporters: ['supporters'] as const,
  search: (words: string) => ['search', words] as const,
  /** All queries whose results contain chats. */
  ofChats: [['chats'], ['history'], ['search'], ['supporters']] as const,
  transcript: (chatId: string) => ['transcript', chatId] as const,
  assistant: (siteId: string) => ['assistant', siteId] as const,
  replies: (siteId: string) => ['replies', siteId] as const,
  /** The help articles that a reply may link to. */
  articleLinks: (siteId: string, words: string) => ['article links', siteId, words] as const,
  /** Suggested answers to the messages up to this one. */
  suggestions: (chatId: string, upTo: number) => ['suggestions', chatId, upTo] as const,
  emoji: ['emoji'] as const,
  notices: ['notices'] as const,
  mentions: ['mentions'] as const,
  /** The prefix of a site's storage, or of all. */
  usage: (siteId?: string) => (siteId === undefined ? (['usage'] as const) : (['usage', siteId] as const)),
};

/**
 * Reads queries again, now or soon: that is throttled, since many events at once are one reason.
 * @param queryKey of one, or the prefix of some; it stays the same
 */
export function useReload(queryKey: QueryKey, soonMs: number): [now: () => void, soon: () => void] {
  const client = useQueryClient();
  const [now] = useState(() => () => void client.invalidateQueries({ queryKey }));
  const [soon] = useState(() => throttle(now, soonMs));
  return [now, soon];
}

const askedAt = new WeakMap<Query, number>();

/** Records the time of a request for this query. */
export function markRequested(client: QueryClient, queryKey: QueryKey): void {
  const query = client.getQueryCache().find({ queryKey });
  if (query) askedAt.set(query, performance.now());
}

/** @param moment of `performance.now()` */
export function wasRequestedBefore(query: Query, moment: number): boolean {
  return (askedAt.get(query) ?? 0) < moment;
}
