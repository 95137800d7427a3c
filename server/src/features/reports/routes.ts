import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { sitesInQuery } from '#features/sites';
import { endpoints, type InputSchema, idField, timeZoneField, wholeQuery } from '#platform/http';
import { writeCsv } from '#platform/text';
import { type AgentReport, REPORT_DAYS_MAX, type ReportsApi } from './contract.ts';
import { readReport } from './read.ts';

const reportSchema: InputSchema = {
  siteId: idField('siteId', { optional: true }),
  days: wholeQuery('days', 1, REPORT_DAYS_MAX),
  tz: timeZoneField,
};

const HEAD = [
  'Agent',
  'Chats answered',
  'First response, median minutes',
  'Chats resolved',
  'Resolution time, median minutes',
  'Ratings',
  'Average rating',
];

interface ReportsDeps {
  signedIn: SignedInGuard;
  now: () => number;
}

/** The calls of the Reports screen. */
export function reportRoutes({ signedIn: { orKey }, now }: ReportsDeps): Router {
  const { router, on } = endpoints<ReportsApi>();
  const plan = { authenticate: orKey.read, authorize: sitesInQuery('chats.read'), query: reportSchema };
  const ask = (caller: Caller) => ({ caller, now: now() });

  on('GET /reports', plan, async ({ access, caller, query }) => ({
    data: await readReport(access, { ...query, ...ask(caller) }),
  }));

  on('GET /reports/export', { ...plan, files: ['text/csv'] }, async ({ access, caller, query }) => {
    const { agents } = await readReport(access, { ...query, ...ask(caller) });
    return { file: oneText(writeCsv([HEAD, ...agents.map(rowOf)])), fileName: 'agents.csv' };
  });

  return router;
}

function rowOf({ agent, ...figures }: AgentReport): string[] {
  const { answered, responseMinutes, resolved, resolutionMinutes, ratings, rating } = figures;
  const cells = [answered, responseMinutes, resolved, resolutionMinutes, ratings, rating];
  const name = agent ? (agent.name ?? 'Deleted account') : 'Nobody';
  return [name, ...cells.map((cell) => (cell === null ? '' : String(cell)))];
}

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
