import { useQuery } from '@tanstack/react-query';
import type { ReportQuery } from 'server/contract';
import { call } from '../../lib/api.ts';
import { saveFile } from '../../shared/saveFile.ts';

/** Refetch interval: the report covers the days up to now, so it changes without events. */
const REFETCH_EVERY_MS = 5 * 60_000;

/** The key of one report, or the prefix of all. */
export const reportKey = (query?: ReportQuery) => (query ? (['reports', query] as const) : (['reports'] as const));

/** The report; while another one loads, the previous one stays. */
export function useReport(query: ReportQuery) {
  return useQuery({
    queryKey: reportKey(query),
    queryFn: ({ signal }) => call('GET /reports', { query, signal }),
    staleTime: 0,
    refetchInterval: REFETCH_EVERY_MS,
    placeholderData: (before) => before,
  });
}

/** Saves one table of the report. */
export function exportTable(query: ReportQuery, table: 'agents' | 'departments'): void {
  const params = Object.entries({ ...query, table }).map(([name, value]) => [name, String(value)]);
  void saveFile(`/reports/export?${new URLSearchParams(params)}`, `${table}.csv`);
}
