import type { Router } from 'express';
import type { SignedInGuard } from '#features/auth';
import { chatViews, listChats } from '#features/chats';
import { type SiteDoc, sitesInQuery } from '#features/sites';
import { endpoints, type InputSchema, idField, timeZoneField } from '#platform/http';
import { OVERVIEW_RECENT, type Overview, type OverviewApi } from './contract.ts';
import { countChats, readTotals, readWeeks } from './read.ts';

const overviewSchema: InputSchema = { siteId: idField('siteId', { optional: true }), tz: timeZoneField };

interface OverviewDeps {
  signedIn: SignedInGuard;
  now: () => number;
}

/** The route of the Overview. */
export function overviewRoutes({ signedIn: { orKey }, now }: OverviewDeps): Router {
  const { router, on } = endpoints<OverviewApi>();

  on(
    'GET /overview',
    { authenticate: orKey.read, authorize: sitesInQuery('chats.read'), query: overviewSchema },
    async ({ access, query }) => ({
      data: await overviewOf(access, now(), query.tz),
    }),
  );

  return router;
}

async function overviewOf(sites: SiteDoc[], now: number, timeZone?: string): Promise<Overview> {
  const ids = sites.map(({ _id }) => _id);
  const [counts, totals, weeks, { items }] = await Promise.all([
    countChats(sites),
    readTotals(ids),
    readWeeks(ids, now, timeZone),
    listChats(sites, {}, { limit: OVERVIEW_RECENT }),
  ]);
  const stats = [...counts.values()];
  return {
    totalChats: stats.reduce((sum, { totalChats }) => sum + totalChats, 0),
    activeChats: stats.reduce((sum, { activeChats }) => sum + activeChats, 0),
    sites: sites.length,
    visitors: totals.reduce((sum, { named = 0 }) => sum + named, 0),
    ...weeks,
    recent: await chatViews(items, sites),
  };
}
