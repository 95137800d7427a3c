import { useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { HistoryFilters } from 'server/contract';
import { withParams } from '../../lib/paths.ts';
import { useTimeZone } from '../../ui/Time.tsx';

/** The filters; each is a query parameter of the same name, empty if not set. */
const FILTERS = ['search', 'siteId', 'supporter', 'department', 'startDate', 'endDate'] as const;
export type FilterName = (typeof FILTERS)[number];

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ID = /^[0-9a-f]{24}$/i;
const DEPARTMENT = /^(none|[0-9a-f]{24})$/i;

/** The filters and the open transcript: kept in the address, so that a list can be shared and survives a reload. */
export function useHistoryUrl() {
  const [params, setParams] = useSearchParams();
  const values = useMemo(() => valuesOf(params), [params]);
  const tz = useTimeZone();
  const filters = useMemo(() => filtersOf(values, tz), [values, tz]);

  const change = (changes: Partial<Record<FilterName | 'chat', string>>, replace: boolean) =>
    setParams((before) => withParams(before, changes), { replace });

  return {
    values,
    filters,
    isFiltered: FILTERS.some((name) => values[name] !== ''),
    chatId: params.get('chat'),
    filter: (changes: Partial<Record<FilterName, string>>) => change(changes, true),
    clear: () => change(Object.fromEntries(FILTERS.map((name) => [name, ''])), true),
    open: (chatId: string) => change({ chat: chatId }, false),
    close: () => change({ chat: '' }, true),
  };
}

/** The valid values of the query parameters; anything may stand in an address. */
function valuesOf(params: URLSearchParams): Record<FilterName, string> {
  const value = (name: FilterName, shape: RegExp) => {
    const text = params.get(name) ?? '';
    return shape.test(text) ? text : '';
  };
  return {
    search: params.get('search') ?? '',
    siteId: value('siteId', ID),
    supporter: params.get('supporter') ?? '',
    department: value('department', DEPARTMENT),
    startDate: value('startDate', DAY),
    endDate: value('endDate', DAY),
  };
}

/** What the server is asked for. @param tz the time zone that a day begins in */
function filtersOf(values: Record<FilterName, string>, tz: string): HistoryFilters {
  const set = Object.fromEntries(FILTERS.flatMap((name) => (values[name] === '' ? [] : [[name, values[name]]])));
  return { ...set, tz };
}
