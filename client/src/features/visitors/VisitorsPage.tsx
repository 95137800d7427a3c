import { Globe } from 'lucide-react';
import { useParams } from 'react-router-dom';
import { NoSites, UnknownSite } from '../../shared/SiteEmptyStates.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useSelectedSite, useSites } from '../sites/api.ts';
import { SwitchedOff } from './SwitchedOff.tsx';
import { VisitorList, VisitorSkeletons } from './VisitorList.tsx';

/** /dashboard/visitors: who is on the selected site; /dashboard/sites/:siteId/visitors: on that one. */
export default function VisitorsPage() {
  const { siteId } = useParams();
  const { data: sites, isPending, refetch } = useSites();
  const { selected } = useSelectedSite();
  const site = siteId === undefined ? selected : sites?.find(({ _id }) => _id === siteId);
  return (
    <div className="w-full max-w-5xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">Visitors now</h1>
      <p className="min-h-5 pt-0.5 pb-6 wrap-anywhere text-muted">{site && `Who is on ${site.name} at this moment.`}</p>
      <div className="rounded-card border bg-surface">
        {site &&
          (site.settings.visitorPages ? <VisitorList key={site._id} site={site} /> : <SwitchedOff site={site} />)}
        {!site &&
          sites &&
          (siteId === undefined ? (
            <NoSites icon={Globe} title="No websites yet" text="Visitors come to a website. Add one first." />
          ) : (
            <UnknownSite icon={Globe} />
          ))}
        {isPending && <VisitorSkeletons />}
        {!sites && !isPending && (
          <ErrorState what="Your websites could not be loaded." onRetry={() => void refetch()} />
        )}
      </div>
    </div>
  );
}
