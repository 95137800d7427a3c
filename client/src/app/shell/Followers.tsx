import { useUnreadChats } from '../../features/chats/api.ts';
import { useLeftSites } from '../../features/chats/live/leftSites.ts';
import { useNotify } from '../../features/notify/live.ts';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useStorageLive } from '../../features/storage/live.ts';
import { useTeamLive } from '../../features/team/live.ts';
import { useTokenRefresh } from '../../lib/refresh.ts';
import { useGoKeys } from './go.ts';
import { useUnreadIcon } from './icon.ts';

/**
 * Hears for what is not on the screen: other screens, ears and the desktop, the tab's icon, and for the keys that lead
 * elsewhere; keeps the session young. Fetched after the first screen, which needs none of it.
 */
export function Followers() {
  useNotify();
  useTeamLive();
  useLeftSites();
  useOverviewLive();
  useStorageLive();
  useGoKeys();
  useTokenRefresh();
  useUnreadIcon(useUnreadChats().length);
  return null;
}
