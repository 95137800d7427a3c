import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { useSites } from '../../../shared/sites.ts';
import { cachedChats, removeChats } from './cache.ts';

/**
 * Removes the chats of websites that the user has left, or was removed from: their rows, and the messages, notes and
 * visitor of an open one. Mounted once; a file of its own, because the first screen does without it.
 */
export function useLeftSites(): void {
  const client = useQueryClient();
  const { data: sites } = useSites();
  const before = useRef<readonly string[]>([]);
  useEffect(() => {
    if (!sites) return;
    const now = sites.map(({ _id }) => _id);
    const left = before.current.filter((siteId) => !now.includes(siteId));
    before.current = now;
    if (left.length === 0) return;
    const isLeft = ({ site }: Chat) => left.includes(site._id);
    const single = client.getQueriesData<Chat>({ queryKey: keys.chat('').slice(0, 1) });
    const cached = [...cachedChats(client), ...single.flatMap(([, chat]) => chat ?? [])];
    for (const { _id } of cached.filter(isLeft)) client.removeQueries({ queryKey: keys.thread(_id) });
    removeChats(client, isLeft);
  }, [sites, client]);
}
