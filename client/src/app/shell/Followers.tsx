import { useNotify } from '../../features/notify/live.ts';
import { useOverviewLive } from '../../features/overview/live.ts';
import { useTeamLive } from '../../features/team/live.ts';
import { useGoKeys } from './go.ts';

/** Hears for what is not on the screen: other screens, ears and the desktop, and for the keys that lead elsewhere. Fetched after the first screen, which needs none of it. */
export function Followers() {
  useNotify();
  useTeamLive();
  useOverviewLive();
  useGoKeys();
  return null;
}
