import { useQueryClient } from '@tanstack/react-query';
import { keys } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { noticesQuery } from './api.ts';

/** Keeps up with what is running full. Mounted once, by the frame of the dashboard. */
export function useUsageLive(): void {
  const client = useQueryClient();
  const reload = () => {
    // What the server could not tell now it tells with the next connection.
    client.fetchQuery({ ...noticesQuery, staleTime: 0 }).catch(() => {});
    void client.invalidateQueries({ queryKey: keys.usage() });
  };
  useSocketEvents({ notices_changed: reload }, reload);
}
