import { Link } from 'react-router-dom';
import type { Overview } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { formatCount } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useUnreadChats } from '../chats/api.ts';
import { useSites } from '../sites/api.ts';
import { newestActivity, pastActivity } from './activity.ts';
import { useActivity, useOverview } from './api.ts';
import { Cards } from './Cards.tsx';
import { Feed } from './Feed.tsx';
import { FiguresSkeleton } from './FiguresSkeleton.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { Recent } from './Recent.tsx';

const PANES = 'grid items-start gap-3 sm:gap-4 lg:grid-cols-2';

/** /dashboard */
export default function OverviewPage() {
  const { data: overview, isPending, refetch } = useOverview();
  return (
    <div className="flex w-full max-w-7xl flex-col gap-3 px-4 py-6 sm:gap-4 sm:p-8">
      <Welcome />
      {overview && <Figures overview={overview} />}
      {isPending && <FiguresSkeleton />}
      {!overview && !isPending && (
        <div className="rounded-card border bg-surface">
          <ErrorState what="Your figures could not be loaded." onRetry={() => void refetch()} />
        </div>
      )}
    </div>
  );
}

function Welcome() {
  const { user } = useAuth();
  const { data: sites } = useSites();
  const unread = useUnreadChats().length;
  return (
    <section className="rounded-card border bg-surface px-5 py-5 sm:px-6">
      <h1 className="text-2xl font-semibold">Welcome back!</h1>
      <p className="pt-1 text-base wrap-anywhere text-muted">
        {user?.name}, <Greeting sites={sites?.length} unread={unread} />
      </p>
      {sites?.length === 0 && <FirstSteps />}
    </section>
  );
}

function Figures({ overview }: { overview: Overview }) {
  const { perDay, recent } = overview;
  const entries = newestActivity(pastActivity(recent), useActivity());
  return (
    <>
      <Cards overview={overview} />
      <div className="grid gap-3 sm:gap-4 lg:grid-cols-2">
        <ChartCard
          kind="bars"
          title="Conversations per day"
          unit="Conversations"
          empty="No conversations in these days"
          days={perDay.map(({ day, chats }) => ({ day, value: chats }))}
          words={(chats) => formatCount(chats, 'conversation')}
          isWhole
        />
        <ChartCard
          kind="line"
          title="Response time"
          unit="Median minutes"
          empty="No chats were answered in these days"
          days={perDay.map(({ day, responseMinutes }) => ({ day, value: responseMinutes }))}
          words={(minutes) => `${formatCount(minutes)} min`}
        />
      </div>
      <div className={PANES}>
        <Recent chats={recent} />
        <Feed entries={entries} />
      </div>
    </>
  );
}

function Greeting({ sites, unread }: { sites: number | undefined; unread: number }) {
  if (sites === 0) return 'your inbox is ready. Three steps, and visitors can write to you.';
  if (unread === 0) return 'you are all caught up.';
  return (
    <>
      you have{' '}
      <Link to={paths.inbox} className="rounded-small font-medium text-accent hover:text-accent-strong">
        {formatCount(unread, 'unread chat')}
      </Link>
      .
    </>
  );
}
