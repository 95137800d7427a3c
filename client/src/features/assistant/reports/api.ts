import { useQueries } from '@tanstack/react-query';
import type { AssistantDay, Site } from 'server/contract';
import { call } from '../../../lib/api.ts';

/** The report covers the days up to now, so it changes without events. */
const REFETCH_EVERY_MS = 5 * 60_000;

/** What all days, or sites, have together. */
export interface AssistantFigures extends Omit<AssistantDay, 'day'> {
  perDay: Pick<AssistantDay, 'day' | 'answered'>[];
}

/** The figures of several sites together; undefined: some are not known yet. */
export function useAssistantFigures(sites: readonly Site[], days: number) {
  const queries = useQueries({
    queries: sites.map(({ _id }) => ({
      queryKey: ['assistant', _id, 'days', days] as const,
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call('GET /sites/:id/assistant/days', { params: { id: _id }, query: { days }, signal })).days,
      staleTime: 0,
      refetchInterval: REFETCH_EVERY_MS,
    })),
  });
  const found = queries.flatMap(({ data }) => (data ? [data] : []));
  return {
    figures: found.length === sites.length ? sumOf(found) : undefined,
    isError: queries.some(({ isError, data }) => isError && !data),
    refetch: () => void Promise.all(queries.map(({ refetch }) => refetch())),
  };
}

function sumOf(sites: AssistantDay[][]): AssistantFigures {
  const sum: AssistantFigures = {
    answered: 0,
    helped: 0,
    notHelped: 0,
    handedOver: {},
    accepted: 0,
    tokens: 0,
    perDay: (sites[0] ?? []).map(({ day }) => ({ day, answered: 0 })),
  };
  for (const { day, handedOver, ...counts } of sites.flat()) {
    for (const [name, count] of Object.entries(counts)) sum[name as keyof typeof counts] += count;
    for (const [name, count] of Object.entries(handedOver)) {
      const reason = name as keyof typeof handedOver;
      sum.handedOver[reason] = (sum.handedOver[reason] ?? 0) + count;
    }
    const at = sum.perDay.find((each) => each.day === day);
    if (at) at.answered += counts.answered;
  }
  return sum;
}
