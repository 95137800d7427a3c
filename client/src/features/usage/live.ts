import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { noticesQuery } from './api.ts';

/** Keeps the storage warnings up to date. Mounted once, by the frame of the dashboard. */
export function useUsageLive(): void {
  const client = useQueryClient();
  const reload = () => {
    // A failure is not shown: the next connect loads them again.
    client.fetchQuery({ ...noticesQuery, staleTime: 0 }).catch(() => {});
    void client.invalidateQueries({ queryKey: keys.usage() });
  };
  useSocketEvents({ notices_changed: reload }, reload);
}
