import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { can, type Site, type User } from 'server/contract';

interface Situation {
  user: User;
  sites: readonly Site[];
  connected: boolean;
  /** There was no input for so long that the server takes the user for away. */
  away: boolean;
}

/** Why this user is given no chats, in one sentence with the way out; null: nothing stands against it. */
export function whyNoChats({ user, sites, connected, away }: Situation): string | null {
  if (!connected) return 'You get no chats until the connection is back.';
  if (sites.length === 0) return 'You get no chats, because you are on the team of no website yet.';
  const answerable = sites.filter((site) => can(site, 'chats.reply'));
  if (answerable.length === 0) return 'You get no chats, because your role is viewer: you can read them, not answer.';
  if (!user.available) return 'You get no chats while you are offline. Switch to Online to get them.';
  if (away)
    return `You are away and get no chats: there was no input for ${user.autoAwayMinutes ?? 0} minutes. Any key, click or movement brings you back.`;
  const enabled = answerable.filter(({ widgetEnabled }) => widgetEnabled);
  if (enabled.length === 0) return 'No chats come, because the widget is switched off on your websites.';
  const open = enabled.filter(({ settings }) => !settings.offlineMode);
  if (open.length === 0) return 'No chats are assigned, because your websites are shown as offline in their settings.';
  if (open.every(({ settings }) => !settings.autoAssign))
    return 'Chats are not assigned on your websites: claim them from the list.';
  return null;
}

const AWAY = ['away'];

/** Whether the server takes this user for away, for want of input, and the way to note what it says. */
export function useAway(): [boolean, (away: boolean) => void] {
  const client = useQueryClient();
  const { data = false } = useQuery({
    queryKey: AWAY,
    queryFn: () => false,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return [data, useCallback((away) => client.setQueryData(AWAY, away), [client])];
}
