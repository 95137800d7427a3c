import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Rule, RuleBody, RulePatch } from 'server/contract';
import { call } from '../../lib/api.ts';
import { type ListOrder, useChangeList } from '../../shared/changeList.ts';

/** Beside those of `lib/query.ts`, which every screen of the dashboard loads. */
const keys = {
  rules: (siteId: string) => ['rules', siteId] as const,
  runs: (siteId: string, rule: string) => ['rule runs', siteId, rule] as const,
};

/** The rules of a site, in their order. */
export function useRules(siteId: string) {
  return useQuery({
    queryKey: keys.rules(siteId),
    queryFn: async ({ signal }) => (await call('GET /sites/:id/rules', { params: { id: siteId }, signal })).rules,
    staleTime: 0,
  });
}

/** One change of a site's rules. */
export type RuleChange =
  | { do: 'add'; body: RuleBody }
  | { do: 'change'; id: string; body: RulePatch }
  | ListOrder
  | { do: 'remove'; id: string };

/** Changes the rules of a site. */
export function useChangeRules(siteId: string) {
  return useChangeList<Rule, RuleChange>({
    queryKey: keys.rules(siteId),
    ask: async (change) => (await askFor(siteId, change)).rules,
  });
}

function askFor(id: string, change: RuleChange): Promise<{ rules: Rule[] }> {
  switch (change.do) {
    case 'add':
      return call('POST /sites/:id/rules', { params: { id }, body: change.body });
    case 'change':
      return call('PATCH /sites/:id/rules/:ruleId', { params: { id, ruleId: change.id }, body: change.body });
    case 'order':
      return call('PUT /sites/:id/rules', { params: { id }, body: { ids: change.ids } });
    case 'remove':
      return call('DELETE /sites/:id/rules/:ruleId', { params: { id, ruleId: change.id } });
  }
}

/** What rules of a site did, newest first. @param rule one of them; empty: all */
export function useRuleRuns(siteId: string, rule: string) {
  return useInfiniteQuery({
    queryKey: keys.runs(siteId, rule),
    queryFn: ({ pageParam, signal }) =>
      call('GET /sites/:id/rules/runs', {
        params: { id: siteId },
        query: { ...(rule && { rule }), ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ runs }) => runs),
    staleTime: 0,
  });
}

/** Says to which of the newest chats a rule would have applied. */
export function useRuleTrial(siteId: string) {
  return useMutation({
    mutationFn: (body: RuleBody) => call('POST /sites/:id/rules/trial', { params: { id: siteId }, body }),
    gcTime: 0,
  });
}
