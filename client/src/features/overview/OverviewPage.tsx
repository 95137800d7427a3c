import { Link } from 'react-router-dom';
import { can, type Overview } from 'server/contract';
import { useUnreadChats } from '#features/chats';
import { useAuth } from '../../lib/auth.tsx';
import { formatDuration } from '../../lib/format.ts';
import { listed, plural, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { rich } from '../../lib/rich.ts';
import { useSites } from '../../shared/sites.ts';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ActivityFeed } from './ActivityFeed.tsx';
import { newestActivity, pastActivity } from './activity.ts';
import { useActivity, useOverview } from './api.ts';
import { FigureCards, FiguresSkeleton } from './FigureCards.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { RecentChats } from './RecentChats.tsx';

const PANES = 'grid items-start gap-3 sm:gap-4 lg:grid-cols-2';

/** /dashboard */
export default function OverviewPage() {
  const { data: overview, isPending, refetch } = useOverview();
  return (
    <div className="flex w-full max-w-7xl flex-col gap-3 px-4 py-6 sm:gap-4 sm:p-8">
      <Welcome chats={overview?.totalChats} />
      {overview && <Figures overview={overview} />}
      {isPending && <FiguresSkeleton />}
      {!overview && !isPending && (
        <div className="rounded-card border bg-surface">
          <ErrorState what={t('Your figures could not be loaded.')} onRetry={() => void refetch()} />
        </div>
      )}
    </div>
  );
}

function Welcome({ chats }: { chats: number | undefined }) {
  const { user } = useAuth();
  const { data: sites } = useSites();
  const unread = useUnreadChats().count;
  const own = sites?.find((site) => can(site, 'sites.edit'));
  const isNew = sites?.length === 0 || (own !== undefined && chats === 0);
  return (
    <section className="rounded-card border bg-surface px-5 py-5 sm:px-6">
      <h1 className="text-2xl font-semibold">{t('Welcome back!')}</h1>
      <p className="pt-1 text-base wrap-anywhere text-muted">
        {user && listed([user.name, ''])}
        <Greeting isNew={isNew} unread={unread} />
      </p>
      {isNew && <FirstSteps site={own} />}
    </section>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { perDay, recent } = overview;
  const entries = newestActivity(pastActivity(recent), useActivity());
  return (
    <>
      <FigureCards overview={overview} />
      <div className="grid gap-3 sm:gap-4 lg:grid-cols-2">
        <ChartCard
          kind="bars"
          title={t('Conversations per day')}
          unit={t('Conversations')}
          empty={t('No conversations in these days')}
          values={perDay.map(({ day, chats }) => ({ at: day, value: chats }))}
          words={(chats) => plural(chats, '{count} conversation', '{count} conversations')}
          isWhole
        />
        <ChartCard
          kind="line"
          title={t('Response time')}
          unit={t('Median minutes')}
          empty={t('No chats were answered in these days')}
          values={perDay.map(({ day, responseMinutes }) => ({ at: day, value: responseMinutes }))}
          words={formatDuration}
        />
      </div>
      <div className={PANES}>
        <RecentChats chats={recent} />
        <ActivityFeed entries={entries} />
      </div>
    </>
  );
}

function Greeting({ isNew, unread }: { isNew: boolean; unread: number }) {
  if (isNew) return t('your inbox is ready. Three steps, and visitors can write to you.');
  const toInbox = (text: string) => (
    <Link to={paths.inbox} className="rounded-small font-medium text-accent hover:text-accent-strong">
      {text}
    </Link>
  );
  if (unread === 0) return rich('you are all caught up. <inbox>Open the inbox</inbox>', { inbox: toInbox });
  const text = plural(
    unread,
    'you have <inbox>{count} unread chat</inbox>.',
    'you have <inbox>{count} unread chats</inbox>.',
  );
  return rich(text, { inbox: toInbox });
}
