import { useQuery } from '@tanstack/react-query';
import type { StorageNotice } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';

const NONE: readonly StorageNotice[] = [];

/** The query for storage warnings. */
export const noticesQuery = {
  queryKey: keys.notices,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await call('GET /notices', { signal })).notices,
};

/** The storage warnings for this user, kept up to date by `useUsageLive`. */
export function useNotices(): readonly StorageNotice[] {
  return useQuery({ ...noticesQuery, enabled: false }).data ?? NONE;
}

/** How much a site has stored, and how much it may. */
export function useUsage(siteId: string) {
  return useQuery({
    queryKey: keys.usage(siteId),
    queryFn: async ({ signal }) => (await call('GET /sites/:id/usage', { params: { id: siteId }, signal })).usage,
    staleTime: 0,
  });
}
