import { Users } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { NoSites, UnknownSite } from '../../shared/SiteEmptyStates.tsx';
import { useSelectedSite, useSites } from '../../shared/sites.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PeopleSkeleton } from './Members.tsx';
import { TeamManagement } from './TeamManagement.tsx';

const SKELETONS = 4;

/** /dashboard/team: the selected site's team; /dashboard/sites/:siteId/team: that site's. */
export default function TeamPage() {
  const { siteId } = useParams();
  const { data: sites, isPending, refetch } = useSites();
  const { selected } = useSelectedSite();
  const site = siteId === undefined ? selected : sites?.find(({ _id }) => _id === siteId);
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      {site ? (
        <TeamManagement key={site._id} site={site} />
      ) : (
        <>
          <h1 className="pb-6 text-2xl font-semibold">{t('Team Management')}</h1>
          <div className="rounded-card border bg-surface">
            {sites &&
              (siteId === undefined ? (
                <NoSites
                  icon={Users}
                  title={t('No team yet')}
                  text={t('A team belongs to a website. Add one, and you can invite people to it.')}
                />
              ) : (
                <UnknownSite icon={Users} />
              ))}
            {isPending && <PeopleSkeleton label={t('Loading team')} rows={SKELETONS} />}
            {!sites && !isPending && (
              <ErrorState what={t('Your websites could not be loaded.')} onRetry={() => void refetch()} />
            )}
          </div>
        </>
      )}
    </div>
  );
}
