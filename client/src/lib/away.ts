import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';

const AWAY = ['away'];

/** Whether the server takes this user for away, for want of input, and the way to note what it says. */
export function useAway(): [boolean, (away: boolean) => void] {
  const client = useQueryClient();
  const { data = false } = useQuery({
    queryKey: AWAY,
    queryFn: () => false,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return [data, useCallback((away) => client.setQueryData(AWAY, away), [client])];
}
