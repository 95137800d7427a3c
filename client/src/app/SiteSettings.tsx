import SiteSettingsPage from '../features/sites/SiteSettingsPage.tsx';
import { TeamTab } from '../features/team/TeamTab.tsx';

/** /dashboard/sites/:siteId, with a tab in it that is the team's own. */
export default function SiteSettings() {
  return <SiteSettingsPage TeamTab={TeamTab} />;
}
