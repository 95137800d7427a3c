import { useCountChanges, useLeftSites, useUnreadChats } from '#features/chats';
import { useNotify, WaitingAnnouncer } from '#features/notify';
import { useOverviewLive } from '#features/overview';
import { useTeamLive } from '#features/team';
import { useUsageLive } from '#features/usage';
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
