import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Api, AssistantPatch, AssistantState, AssistantTestBody, AssistantTests } from 'server/contract';
import { call } from '../../lib/api.ts';

/** Beside those of `lib/query.ts`, which every screen of the dashboard loads. */
const keys = {
  state: (siteId: string) => ['assistant', siteId, 'state'] as const,
  tests: (siteId: string) => ['assistant', siteId, 'tests'] as const,
  runs: (siteId: string) => ['assistant', siteId, 'runs'] as const,
};
/** How soon the results of test questions are seen that are being asked. */
const TESTS_EVERY_MS = 2_000;
/** As many failures are shown at once. */
const RUNS_PAGE = 20;

export function useAssistant(siteId: string) {
  return useQuery({
    queryKey: keys.state(siteId),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/assistant', { params: { id: siteId }, signal })).assistant,
    staleTime: 0,
  });
}

export function usePatchAssistant(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: AssistantPatch) =>
      (await call('PATCH /sites/:id/assistant', { params: { id: siteId }, body })).assistant,
    onSuccess: (state) => client.setQueryData<AssistantState>(keys.state(siteId), state),
  });
}

/** Asks a question as a visitor would. The day's tokens are others afterwards. */
export function useTry(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Api['POST /sites/:id/assistant/try']['body']) =>
      call('POST /sites/:id/assistant/try', { params: { id: siteId }, body }),
    onSettled: () => client.invalidateQueries({ queryKey: keys.state(siteId) }),
  });
}

/** The test questions; read again while they are asked. */
export function useTests(siteId: string) {
  return useQuery({
    queryKey: keys.tests(siteId),
    queryFn: ({ signal }) => call('GET /sites/:id/assistant/tests', { params: { id: siteId }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.running ? TESTS_EVERY_MS : false),
  });
}

export function useSaveTests(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { tests: AssistantTestBody[]; rev: number }) =>
      call('PUT /sites/:id/assistant/tests', { params: { id: siteId }, body }),
    onSuccess: (tests) => client.setQueryData<AssistantTests>(keys.tests(siteId), tests),
    // Somebody else was faster: theirs are shown, and the change can be made to them.
    onError: () => client.invalidateQueries({ queryKey: keys.tests(siteId) }),
  });
}

export function useRunTests(siteId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call('POST /sites/:id/assistant/tests/run', { params: { id: siteId } }),
    onSuccess: (tests) => client.setQueryData<AssistantTests>(keys.tests(siteId), tests),
  });
}

/** What the assistant handed over, the last first. */
export function useFailures(siteId: string) {
  return useInfiniteQuery({
    queryKey: keys.runs(siteId),
    queryFn: ({ pageParam, signal }) =>
      call('GET /sites/:id/assistant/runs', {
        params: { id: siteId },
        query: { failed: 'yes', limit: RUNS_PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    staleTime: 0,
  });
}
