import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { Logo } from '../../shared/Logo.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { Accounts } from './Accounts.tsx';
import { AuditLog } from './AuditLog.tsx';
import { Figures } from './Figures.tsx';
import { MailIn } from './MailIn.tsx';

/** /admin: the whole instance, for platform admins. It shows no conversations. */
export default function AdminPage() {
  return (
    <>
      <title>{t('Administration · Parley')}</title>
      <header className="border-b bg-surface">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-4 px-4 sm:px-8">
          <Link to={paths.home} aria-label={t('Parley, dashboard')} className="me-auto rounded-control">
            <Logo named />
          </Link>
          <Link to={paths.home} className="inline-flex items-center gap-1.5 text-muted hover:text-text">
            <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" />
            {t('Back to Dashboard')}
          </Link>
          <ThemeSwitch />
        </div>
      </header>
      <main className="mx-auto flex w-full max-w-6xl flex-col gap-8 px-4 py-6 sm:p-8">
        <div>
          <h1 className="text-2xl font-semibold">{t('Administration')}</h1>
          <p className="pt-0.5 text-muted">{t('administration panel')}</p>
        </div>
        <Figures />
        <MailIn />
        <Accounts />
        <AuditLog />
      </main>
    </>
  );
}
