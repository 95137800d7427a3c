import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { keys } from '../../../lib/query.ts';
import { useSites } from '../../sites/api.ts';
import { dropChats, knownChats } from './cache.ts';

/**
 * Forgets the chats of websites that the user is no longer on the team of: their rows, and what an open one shows of
 * messages, notes and the visitor. Mounted once, by the frame of the dashboard.
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
    const known = [...knownChats(client), ...single.flatMap(([, chat]) => chat ?? [])];
    for (const { _id } of known.filter(isLeft)) client.removeQueries({ queryKey: keys.thread(_id) });
    dropChats(client, isLeft);
  }, [sites, client]);
}
