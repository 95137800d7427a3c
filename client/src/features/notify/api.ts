import { useQuery } from '@tanstack/react-query';
import type { Mention } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';

export const mentionsQuery = {
  queryKey: keys.mentions,
  queryFn: async () => (await call('GET /mentions')).mentions,
  enabled: false,
};

/** The notes that mention the user and that the user has not read, kept up to date by `useMentionsLive`. */
export function useMentions(): readonly Mention[] {
  return useQuery(mentionsQuery).data ?? [];
}
