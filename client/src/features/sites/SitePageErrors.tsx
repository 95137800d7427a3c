import { FileQuestion, LogIn } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { UnknownSite } from '../../shared/SiteEmptyStates.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';

/** The session ended while a site form was open; what was typed is there again after the login. */
export function PleaseLogIn({ text }: { text: string }) {
  const location = useLocation();
  return (
    <div className="flex min-h-full items-center justify-center">
      <h1 className="sr-only">{t('Site settings')}</h1>
      <EmptyState
        icon={LogIn}
        title={t('Please Log In')}
        text={text}
        action={
          <Button asChild>
            <Link to="/login" state={{ from: location }}>
              {t('Go to Login')}
            </Link>
          </Button>
        }
      />
    </div>
  );
}

/** No such site, or not one of the user's: a whole screen. */
export function InvalidSite() {
  return (
    <div className="flex min-h-full items-center justify-center">
      <h1 className="sr-only">{t('Site settings')}</h1>
      <UnknownSite icon={FileQuestion} />
    </div>
  );
}
