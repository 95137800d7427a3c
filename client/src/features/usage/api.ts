import { useQuery } from '@tanstack/react-query';
import type { Notice } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';

const NONE: readonly Notice[] = [];

export const noticesQuery = {
  queryKey: keys.notices,
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await call('GET /notices', { signal })).notices,
};

/** The warnings for this user, kept up to date by `useUsageLive`. */
export function useNotices(): readonly Notice[] {
  return useQuery({ ...noticesQuery, enabled: false }).data ?? NONE;
}
