import { Link } from 'react-router-dom';
import type { Overview } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { formatCount } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/Button.tsx';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useUnreadChats } from '../chats/api.ts';
import { useSites } from '../sites/api.ts';
import { ActivityFeed } from './ActivityFeed.tsx';
import { newestActivity, pastActivity } from './activity.ts';
import { useActivity, useOverview } from './api.ts';
import { FigureCards, FiguresSkeleton } from './FigureCards.tsx';
import { RecentChats } from './RecentChats.tsx';

const PANES = 'grid items-start gap-3 sm:gap-4 lg:grid-cols-2';
const STEPS = ['Add your website', 'Paste its line of code into your pages', 'Answer the first visitor from the inbox'];

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
  const unread = useUnreadChats().count;
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
      <FigureCards overview={overview} />
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
        <RecentChats chats={recent} />
        <ActivityFeed entries={entries} />
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

/** What to do as long as there is no website. */
function FirstSteps() {
  return (
    <>
      <ol className="flex flex-col gap-3 pt-6">
        {STEPS.map((step, index) => (
          <li key={step} className="flex items-center gap-3">
            <span className="inline-flex size-7 items-center justify-center rounded-full border text-xs font-semibold tabular-nums">
              {index + 1}
            </span>
            {step}
          </li>
        ))}
      </ol>
      <Button asChild className="mt-6">
        <Link to={paths.newSite}>Add your website</Link>
      </Button>
    </>
  );
}
