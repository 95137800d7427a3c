import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { can, type Overview } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { formatCount } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ChartCard } from '../../ui/charts/ChartCard.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { onDemand } from '../../ui/onDemand.ts';
import { useUnreadChats } from '../chats/api.ts';
import { useSites } from '../sites/api.ts';
import { ActivityFeed } from './ActivityFeed.tsx';
import { newestActivity, pastActivity } from './activity.ts';
import { useActivity, useOverview } from './api.ts';
import { FigureCards, FiguresSkeleton } from './FigureCards.tsx';
import { RecentChats } from './RecentChats.tsx';

const steps = onDemand(() => import('./FirstSteps.tsx'));
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
          <ErrorState what="Your figures could not be loaded." onRetry={() => void refetch()} />
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
  const loaded = steps.usePart(isNew);
  return (
    <section className="rounded-card border bg-surface px-5 py-5 sm:px-6">
      <h1 className="text-2xl font-semibold">Welcome back!</h1>
      <p className="pt-1 text-base wrap-anywhere text-muted">
        {user?.name}, <Greeting isNew={isNew} unread={unread} />
      </p>
      {isNew && loaded && <loaded.FirstSteps site={own} />}
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
          values={perDay.map(({ day, chats }) => ({ at: day, value: chats }))}
          words={(chats) => formatCount(chats, 'conversation')}
          isWhole
        />
        <ChartCard
          kind="line"
          title="Response time"
          unit="Median minutes"
          empty="No chats were answered in these days"
          values={perDay.map(({ day, responseMinutes }) => ({ at: day, value: responseMinutes }))}
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

function Greeting({ isNew, unread }: { isNew: boolean; unread: number }) {
  if (isNew) return 'your inbox is ready. Three steps, and visitors can write to you.';
  if (unread === 0)
    return (
      <>
        you are all caught up. <ToInbox>Open the inbox</ToInbox>
      </>
    );
  return (
    <>
      you have <ToInbox>{formatCount(unread, 'unread chat')}</ToInbox>.
    </>
  );
}

function ToInbox({ children }: { children: ReactNode }) {
  return (
    <Link to={paths.inbox} className="rounded-small font-medium text-accent hover:text-accent-strong">
      {children}
    </Link>
  );
}
