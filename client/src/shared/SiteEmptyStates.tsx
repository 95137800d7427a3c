import type { LucideIcon } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../lib/i18n.ts';
import { paths } from '../lib/paths.ts';
import { Button } from '../ui/Button.tsx';
import { EmptyState } from '../ui/EmptyState.tsx';

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
