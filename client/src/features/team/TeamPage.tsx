import { Users } from 'lucide-react';
import { t } from '../../lib/i18n.ts';
import { useScreenSite } from '../../shared/SiteEmptyStates.tsx';
import { PeopleSkeleton } from './Members.tsx';
import { TeamManagement } from './TeamManagement.tsx';

const SKELETONS = 4;

/** /dashboard/team: the selected site's team; /dashboard/sites/:siteId/team: that site's. */
export default function TeamPage() {
  const { site, instead } = useScreenSite({
    icon: Users,
    title: t('No team yet'),
    text: t('A team belongs to a website. Add one, and you can invite people to it.'),
    waiting: <PeopleSkeleton label={t('Loading team')} rows={SKELETONS} />,
  });
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      {site ? (
        <TeamManagement key={site._id} site={site} />
      ) : (
        <>
          <h1 className="pb-6 text-2xl font-semibold">{t('Team Management')}</h1>
          <div className="rounded-card border bg-surface">{instead}</div>
        </>
      )}
    </div>
  );
}
