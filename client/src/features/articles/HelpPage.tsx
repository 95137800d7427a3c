import { BookOpenText, Bot, SquareArrowOutUpRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { can, type HelpCenter, type Site } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { language, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { useScreenSite } from '../../shared/SiteEmptyStates.tsx';
import { LeaveGuard } from '../../shared/settingsForm/LeaveGuard.tsx';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { useHelpCenter, useHelpLive, useNewArticle, usePatchHelp, useQuestions } from './api.ts';
import { ArticleList } from './list/ArticleList.tsx';
import { Questions } from './list/Questions.tsx';
import { HelpSettings } from './settings/HelpSettings.tsx';
import { helpDraftKey } from './settings/helpForm.ts';

const TABS = ['articles', 'questions', 'settings'] as const;

/** /dashboard/help: the help centre of the selected site. */
export default function HelpPage() {
  const { site, instead } = useScreenSite({
    icon: BookOpenText,
    title: t('No websites yet'),
    text: t('A help centre belongs to a website. Add one first.'),
    waiting: <HelpSkeleton />,
  });
  return (
    <div className="w-full max-w-7xl px-4 py-6 sm:p-8">
      {site ? <SiteHelp key={site._id} site={site} /> : <h1 className="pb-6 text-2xl font-semibold">{t('Help')}</h1>}
      {instead}
    </div>
  );
}

function SiteHelp({ site }: { site: Site }) {
  const { data: help, isError, refetch } = useHelpCenter(site._id);
  useHelpLive(site._id);
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-3 pb-5">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold">{t('Help')}</h1>
          <p className="pt-0.5 wrap-anywhere text-muted">
            {t('Articles that answer the questions of {name} before they are asked.', { name: site.name })}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button asChild variant="secondary">
            <Link to={paths.siteAssistant(site._id)}>
              <Bot size={16} aria-hidden />
              {t('Assistant')}
            </Link>
          </Button>
          {help?.url && (
            <Button asChild variant="secondary">
              <a href={help.url} target="_blank" rel="noopener">
                <SquareArrowOutUpRight size={16} aria-hidden />
                {t('Open the public page')}
              </a>
            </Button>
          )}
        </div>
      </div>
      {help && (help.handle === '' ? <NoHelpCenter site={site} help={help} /> : <HelpTabs site={site} help={help} />)}
      {!help && isError && (
        <ErrorState what={t('The help centre could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {!help && !isError && <HelpSkeleton />}
    </>
  );
}

/** Makes the help centre with one press, and opens its first article. */
function NoHelpCenter({ site, help }: { site: Site; help: HelpCenter }) {
  const navigate = useNavigate();
  const patch = usePatchHelp(site._id);
  const begin = useNewArticle(site._id);
  const [isBusy, setBusy] = useState(false);
  const mayEdit = can(site, 'sites.edit');
  const make = async () => {
    setBusy(true);
    try {
      // The server makes its address of the site's name.
      await patch.mutateAsync({ enabled: true, language: language(), rev: help.rev });
      return await begin.mutateAsync({});
    } finally {
      setBusy(false);
    }
  };
  const run = useAction(
    { mutateAsync: make },
    {
      failure: t('The help centre could not be made.'),
      onSuccess: ({ _id }) => void navigate(paths.article(_id), { state: { isNew: true } }),
    },
  );
  return (
    <div className="rounded-card border bg-surface">
      <EmptyState
        icon={BookOpenText}
        title={t('Write each answer once')}
        text={
          mayEdit
            ? t(
                'A help centre is a page of your own with the answers that you give every week. Visitors find them by search engines, on the page and, if you like, in the widget.',
              )
            : t('This website has no help centre yet. An admin of the team can make one.')
        }
        action={
          mayEdit && (
            <Button busy={isBusy} onClick={() => void run(undefined)}>
              {t('Make the help centre and write')}
            </Button>
          )
        }
      />
    </div>
  );
}

function HelpTabs({ site, help }: { site: Site; help: HelpCenter }) {
  const [params, setParams] = useSearchParams();
  const { user } = useAuth();
  const { data: questions } = useQuestions(site._id);
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'articles';
  const asked = t('Asked, not found');
  const tabs = [
    { value: TABS[0], label: t('Articles'), content: <ArticleList site={site} help={help} /> },
    {
      value: TABS[1],
      label: questions?.length ? t('Asked, not found ({count})', { count: questions.length }) : asked,
      content: <Questions site={site} help={help} />,
    },
    { value: TABS[2], label: t('Settings'), content: <HelpSettings site={site} help={help} /> },
  ];
  return (
    <>
      {!help.enabled && (
        <p role="status" className="mb-4 rounded-control bg-waiting-soft p-3">
          {t('The help centre is switched off: only the team sees the articles. Settings switch it on.')}
        </p>
      )}
      <Tabs
        label={t('Help')}
        value={tab}
        onValueChange={(next) => setParams(next === 'articles' ? {} : { tab: next }, { replace: true })}
        items={can(site, 'sites.edit') ? tabs : tabs.slice(0, 2)}
      />
      <LeaveGuard draftKey={helpDraftKey(user?._id ?? '', site._id)} />
    </>
  );
}

function HelpSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">{t('Loading articles')}</span>
      <Skeleton className="h-10 w-full max-w-sm" />
      <Skeleton className="h-32 w-full rounded-card!" />
      <Skeleton className="h-32 w-full rounded-card!" />
    </div>
  );
}
