import type { Router } from 'express';
import type { Caller, SignedInGuard } from '#features/auth';
import { type SiteDoc, sitesInQuery } from '#features/sites';
import { choice, endpoints, type InputSchema, idField, timeZoneField, wholeQuery } from '#platform/http';
import { writeCsv } from '#platform/text';
import { type AgentReport, REPORT_DAYS_MAX, type Report, type ReportsApi } from './contract.ts';
import { readReport } from './read.ts';

const reportSchema: InputSchema = {
  siteId: idField('siteId', { optional: true }),
  days: wholeQuery('days', 1, REPORT_DAYS_MAX),
  tz: timeZoneField,
  department: idField('department', { optional: true }),
};
const exportSchema: InputSchema = { ...reportSchema, table: choice('table', ['agents', 'departments']) };

const FIGURES = [
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

  on(
    'GET /reports/export',
    { ...plan, query: exportSchema, files: ['text/csv'] },
    async ({ access, caller, query: { table = 'agents', ...query } }) => {
      const report = await readReport(access, { ...query, ...ask(caller) });
      const rows = table === 'agents' ? agentRows(report) : departmentRows(report, access);
      return { file: oneText(writeCsv(rows)), fileName: `${table}.csv` };
    },
  );

  return router;
}

function agentRows({ agents }: Report): string[][] {
  const nameOf = ({ agent }: AgentReport) => (agent ? (agent.name ?? 'Deleted account') : 'Nobody');
  return [['Agent', ...FIGURES], ...agents.map((each) => [nameOf(each), ...figureCells(each)])];
}

function departmentRows({ departments }: Report, sites: SiteDoc[]): string[][] {
  const names = new Map(sites.map(({ _id, name }) => [_id.toHexString(), name]));
  const rows = departments.map((each) => [
    each.department.name ?? 'Deleted department',
    names.get(each.siteId) ?? '',
    ...cells([each.chats]),
    ...figureCells(each),
    ...cells([each.missed]),
  ]);
  return [['Department', 'Website', 'Chats', ...FIGURES, 'Chats missed'], ...rows];
}

function figureCells(figures: Omit<AgentReport, 'agent'>): string[] {
  const { answered, responseMinutes, resolved, resolutionMinutes, ratings, rating } = figures;
  return cells([answered, responseMinutes, resolved, resolutionMinutes, ratings, rating]);
}

const cells = (values: (number | null)[]) => values.map((value) => (value === null ? '' : String(value)));

async function* oneText(text: string): AsyncGenerator<string> {
  yield text;
}
