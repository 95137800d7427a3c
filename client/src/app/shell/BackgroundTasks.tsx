import { useUnreadChats } from '../../features/chats/api.ts';
import { useLeftSites } from '../../features/chats/live/leftSites.ts';
import { useNotify } from '../../features/notify/live.ts';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useTeamLive } from '../../features/team/live.ts';
import { useUsageLive } from '../../features/usage/live.ts';
import { useTokenRefresh } from '../../lib/refresh.ts';
import { useGoShortcuts } from './goShortcuts.ts';
import { useUnreadIcon } from './tabIcon.ts';

/**
 * Hears for what is not on the screen: other screens, ears and the desktop, the tab's icon, and for the keys that lead
 * elsewhere; keeps the session young. Fetched after the first screen, which needs none of it.
 */
export function BackgroundTasks() {
  useNotify();
  useTeamLive();
  useLeftSites();
  useOverviewLive();
  useUsageLive();
  useGoShortcuts();
  useTokenRefresh();
  useUnreadIcon(useUnreadChats().length);
  return null;
}
