import { EyeOff, Globe } from 'lucide-react';
import { can, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { useScreenSite } from '../../shared/SiteEmptyStates.tsx';
import { usePatchSite } from '../../shared/sites.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { VisitorList, VisitorSkeletons } from './VisitorList.tsx';

/** /dashboard/visitors: who is on the selected site; /dashboard/sites/:siteId/visitors: on that one. */
export default function VisitorsPage() {
  const { site, instead } = useScreenSite({
    icon: Globe,
    title: t('No websites yet'),
    text: t('Visitors come to a website. Add one first.'),
    waiting: <VisitorSkeletons />,
  });
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <h1 className="text-2xl font-semibold">{t('Visitors now')}</h1>
      <p className="min-h-5 pt-0.5 pb-6 wrap-anywhere text-muted">
        {site && t('Who is on {name} at this moment.', { name: site.name })}
      </p>
      <div className="rounded-card border bg-surface">
        {site &&
          (site.settings.visitorPages ? <VisitorList key={site._id} site={site} /> : <VisitorsOff site={site} />)}
        {instead}
      </div>
    </div>
  );
}

/** Shown while the site has 'Visitors now' switched off, which is the default, with the way to switch it on. */
function VisitorsOff({ site }: { site: Site }) {
  const patch = usePatchSite(site._id);
  const switchOn = useAction(patch, { failure: t('It could not be switched on.') });
  if (!can(site, 'sites.edit')) {
    return (
      <EmptyState
        icon={EyeOff}
        title={t('Switched off for this website')}
        text={t(
          'An admin can switch it on: Site settings, General, More, ‘Visitors now’. The team then sees who is on the website and on which page, and can start a chat.',
        )}
      />
    );
  }
  return (
    <EmptyState
      icon={EyeOff}
      title={t('Switched off for this website')}
      text={t(
        'The team then sees who is on the website and on which page, and can start a chat. Mention it in your privacy notice. The switch is also in the site’s settings under General, More.',
      )}
      action={
        <Button busy={patch.isPending} onClick={() => void switchOn({ settings: { visitorPages: true } })}>
          {t('Switch on')}
        </Button>
      }
    />
  );
}
