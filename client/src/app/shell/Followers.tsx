import { useNotify } from '../../features/notify/live.ts';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useTeamLive } from '../../features/team/live.ts';

/** Hears for what is not on the screen: other screens, ears and the desktop. Fetched after the first screen, which needs none of it. */
export function Followers() {
  useNotify();
  useTeamLive();
  useOverviewLive();
  return null;
}
