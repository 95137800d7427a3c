import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { useHeard } from '../../lib/heard.ts';
import { keys } from '../../lib/query.ts';
import { noticesQuery } from './api.ts';

/** Keeps up with what is running full. Mounted once, by the frame of the dashboard. */
export function useStorageLive(): void {
  const client = useQueryClient();
  const ask = useCallback(() => {
    // What the server could not tell now it tells with the next connection.
    client.fetchQuery({ ...noticesQuery, staleTime: 0 }).catch(() => {});
    void client.invalidateQueries({ queryKey: keys.usage() });
  }, [client]);
  useHeard(
    useMemo(() => ({ notices_changed: ask }), [ask]),
    ask,
  );
}
