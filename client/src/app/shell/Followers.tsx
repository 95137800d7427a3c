import { useOverviewLive } from '../../features/overview/live.ts';
import { useTeamLive } from '../../features/team/live.ts';

/** Hears for the screens that are not the inbox. Fetched after the first screen, which needs none of it. */
export function Followers() {
  useTeamLive();
  useOverviewLive();
  return null;
}
