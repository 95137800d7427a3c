import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router-dom';
import type { Site } from 'server/contract';
import { t } from '../lib/i18n.ts';
import { paths } from '../lib/paths.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorState } from '../ui/ErrorState.tsx';
import { useSelectedSite, useSites } from './sites.ts';

interface SiteScreen {
  icon: LucideIcon;
  /** What a user without sites reads. */
  title: string;
  text: string;
  waiting: ReactNode;
}

/** The site in the address of a screen, else the selected one; until there is one, what the screen shows `instead`. */
export function useScreenSite({ icon, title, text, waiting }: SiteScreen): { site?: Site; instead?: ReactNode } {
  const { siteId } = useParams();
  const { data: sites, isPending, refetch } = useSites();
  const { selected } = useSelectedSite();
  const site = siteId === undefined ? selected : sites?.find(({ _id }) => _id === siteId);
  if (site) return { site };
  if (isPending) return { instead: waiting };
  if (!sites)
    return { instead: <ErrorState what={t('Your websites could not be loaded.')} onRetry={() => void refetch()} /> };
  return { instead: siteId === undefined ? <NoSites {...{ icon, title, text }} /> : <UnknownSite icon={icon} /> };
}

/** No such site, or not one of the user's, where a part of a screen shows what belongs to it. */
export function UnknownSite({ icon }: { icon: LucideIcon }) {
  return (
    <EmptyState
      icon={icon}
      title={t('Invalid Site')}
      text={t("The site you're trying to access doesn't exist or the URL is invalid.")}
      action={
        <Button asChild>
          <Link to={paths.home}>{t('Go to Dashboard')}</Link>
        </Button>
      }
    />
  );
}

/** The user has no site yet whose things could be shown. */
export function NoSites({ icon, title, text }: { icon: LucideIcon; title: string; text: string }) {
  return (
    <EmptyState
      icon={icon}
      title={title}
      text={text}
      action={
        <Button asChild>
          <Link to={paths.newSite}>{t('Add Website')}</Link>
        </Button>
      }
    />
  );
}
