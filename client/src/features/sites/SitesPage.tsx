import { Globe, Plus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useSites } from '../../shared/sites.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useSiteRoom } from './api.ts';
import { useSiteCounts } from './live.ts';
import { SiteCard } from './SiteCard.tsx';

const SKELETONS = [1, 2, 3];
const GRID = 'grid gap-5 [grid-template-columns:repeat(auto-fill,minmax(min(100%,22rem),1fr))] items-start';

/** /dashboard/sites */
export default function SitesPage() {
  const { data: sites, isPending, refetch } = useSites();
  const room = useSiteRoom();
  useSiteCounts();
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <div className="flex flex-wrap items-center justify-between gap-3 pb-6">
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-2xl font-semibold">{t('Website Management')}</h1>
          {room && <p className="pt-0.5 text-muted">{roomText(room)}</p>}
        </div>
        <Button asChild>
          <Link to={paths.newSite}>
            <Plus size={18} aria-hidden />
            {t('Add Website')}
          </Link>
        </Button>
      </div>
      {sites && sites.length > 0 && (
        <ul className={GRID}>
          {sites.map((site) => (
            <SiteCard key={site._id} site={site} />
          ))}
        </ul>
      )}
      {sites?.length === 0 && (
        <div className="rounded-card border bg-surface">
          <EmptyState
            icon={Globe}
            title={t('No websites yet')}
            text={t('Add one, paste its line of code into your pages, and visitors can write to you.')}
            action={
              <Button asChild>
                <Link to={paths.newSite}>{t('Add Your First Website')}</Link>
              </Button>
            }
          />
        </div>
      )}
      {isPending && (
        <div role="status" className={GRID}>
          <span className="sr-only">{t('Loading websites')}</span>
          {SKELETONS.map((each) => (
            <Skeleton key={each} className="h-72 rounded-card!" />
          ))}
        </div>
      )}
      {!isPending && !sites && (
        <div className="rounded-card border bg-surface">
          <ErrorState what={t('Your websites could not be loaded.')} onRetry={() => void refetch()} />
        </div>
      )}
    </div>
  );
}

function roomText({ owned, limit, isFull }: { owned: number; limit: number; isFull: boolean }): string {
  if (isFull)
    return plural(
      owned,
      'You own {count} website, which is the most for one account. Delete one or transfer it to add another.',
      'You own {count} websites, which is the most for one account. Delete one or transfer it to add another.',
    );
  return plural(
    limit,
    'You own {owned} of the {count} website that an account may have.',
    'You own {owned} of the {count} websites that an account may have.',
    { owned },
  );
}
