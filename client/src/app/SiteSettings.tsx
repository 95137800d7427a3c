import { ManageReplies } from '../features/replies/ManageReplies.tsx';
import SiteSettingsPage from '../features/sites/SiteSettingsPage.tsx';
import { TeamTab } from '../features/team/TeamTab.tsx';

/** /dashboard/sites/:siteId, composed of parts of several features. */
export default function SiteSettings() {
  return <SiteSettingsPage TeamTab={TeamTab} Replies={ManageReplies} />;
}
