import { useUnreadChats } from '../../features/chats/api.ts';
import { useCountChanges } from '../../features/chats/live/countChanges.ts';
import { useLeftSites } from '../../features/chats/live/leftSites.ts';
import { useNotify } from '../../features/notify/live.ts';
import { WaitingAnnouncer } from '../../features/notify/WaitingAnnouncer.tsx';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useTeamLive } from '../../features/team/live.ts';
import { useUsageLive } from '../../features/usage/live.ts';
import { useTokenRefresh } from '../../lib/refresh.ts';
import { useToastKey } from '../../ui/actionToast.tsx';
import { useGoShortcuts } from './goShortcuts.ts';
import { useUnreadIcon } from './tabIcon.ts';

/**
 * Subscriptions that belong to no single screen: caches of other screens, notifications, the tab's icon, global
 * shortcuts, and renewal of the token.
 */
export function BackgroundTasks() {
  useNotify();
  useTeamLive();
  useCountChanges();
  useLeftSites();
  useOverviewLive();
  useUsageLive();
  useGoShortcuts();
  useTokenRefresh();
  useToastKey();
  useUnreadIcon(useUnreadChats().count);
  return <WaitingAnnouncer />;
}
