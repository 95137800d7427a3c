import { ManageReplies } from '../features/chats/composer/ManageReplies.tsx';
import SiteSettingsPage from '../features/sites/SiteSettingsPage.tsx';
import { TeamTab } from '../features/team/TeamTab.tsx';

/** /dashboard/sites/:siteId, with parts in it that are other features' own. */
export default function SiteSettings() {
  return <SiteSettingsPage TeamTab={TeamTab} Replies={ManageReplies} />;
}
