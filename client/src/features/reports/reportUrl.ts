import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import { REPORT_DAYS_DEFAULT, type ReportQuery } from 'server/contract';
import { withParams } from '../../lib/paths.ts';
import { useTimeZone } from '../../ui/Time.tsx';

/** The periods to choose from, in days. */
export const PERIODS = [7, 30, 90] as const;

const ID = /^[0-9a-f]{24}$/i;

/** The site, the department and the period of the report: kept in the address, so that it can be shared and survives a reload. */
export function useReportUrl() {
  const [params, setParams] = useSearchParams();
  const named = params.get('siteId') ?? '';
  const siteId = ID.test(named) ? named : '';
  const days = PERIODS.find((period) => String(period) === params.get('days')) ?? REPORT_DAYS_DEFAULT;
  const filtered = params.get('department') ?? '';
  const department = ID.test(filtered) ? filtered : '';
  const tz = useTimeZone();
  const query = useMemo<ReportQuery>(
    () => ({ ...(siteId && { siteId }), ...(department && { department }), days, tz }),
    [siteId, department, days, tz],
  );

  const change = (name: 'siteId' | 'department' | 'days', value: string) =>
    setParams(
      // Another site has other departments.
      (before) => withParams(before, { ...(name === 'siteId' && { department: '' }), [name]: value }),
      { replace: true },
    );
  return { siteId, days, department, query, change };
}
