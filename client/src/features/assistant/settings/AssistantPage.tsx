import { ArrowLeft } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { type AssistantState, can, type Site } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { LeaveGuard } from '../../../shared/settingsForm/LeaveGuard.tsx';
import { useSite } from '../../../shared/sites.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Tabs } from '../../../ui/Tabs.tsx';
import { useAssistant } from '../api.ts';
import { assistantDraftKey } from './assistantForm.ts';
import { Failures } from './Failures.tsx';
import { Privacy } from './Privacy.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { TestQuestions } from './TestQuestions.tsx';
import { TryIt } from './TryIt.tsx';

const TABS = ['settings', 'try', 'tests', 'handed-over'] as const;

/** /dashboard/sites/:siteId/assistant */
export default function AssistantPage() {
  const { siteId = '' } = useParams();
  const { data: site, isError, refetch } = useSite(siteId);
  const state = useAssistant(siteId);
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      <Link to={paths.site(siteId)} className="inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft size={16} aria-hidden className="rtl:-scale-x-100" />
        {site ? t('Settings of {name}', { name: site.name }) : t('Settings')}
      </Link>
      <h1 className="pt-3 text-2xl font-semibold">{t('Assistant')}</h1>
      <p className="pt-0.5 pb-5 text-muted">
        {t('How far Parley may answer by itself. A person is always one tap away.')}
      </p>
      {site && state.data ? (
        <Pages site={site} state={state.data} />
      ) : isError || state.isError ? (
        <ErrorState
          what={t('The assistant could not be loaded.')}
          onRetry={() => void Promise.all([refetch(), state.refetch()])}
        />
      ) : (
        <div role="status" className="flex max-w-2xl flex-col gap-4">
          <span className="sr-only">{t('Loading')}</span>
          <Skeleton className="h-10 w-72" />
          <Skeleton className="h-64 w-full rounded-card!" />
        </div>
      )}
    </div>
  );
}

function Pages({ site, state }: { site: Site; state: AssistantState }) {
  const { user } = useAuth();
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'settings';
  const mayEdit = can(site, 'sites.edit');
  const pages = [
    {
      value: TABS[0],
      label: t('Settings'),
      content: (
        <div className="flex flex-col gap-7">
          {!mayEdit && <p className="text-muted">{t('Only admins of this website can change these settings.')}</p>}
          <Privacy state={state} />
          <SettingsForm site={site} state={state} />
        </div>
      ),
    },
    ...(mayEdit ? [{ value: TABS[1], label: t('Try it'), content: <TryIt site={site} /> }] : []),
    { value: TABS[2], label: t('Test questions'), content: tab === 'tests' && <TestQuestions site={site} /> },
    { value: TABS[3], label: t('Handed over'), content: tab === 'handed-over' && <Failures site={site} /> },
  ];
  return (
    <>
      <Tabs
        label={t('Assistant')}
        value={tab}
        onValueChange={(next) => setParams(next === 'settings' ? {} : { tab: next }, { replace: true })}
        items={pages}
      />
      <LeaveGuard draftKey={assistantDraftKey(user?._id ?? '', site._id)} />
    </>
  );
}
