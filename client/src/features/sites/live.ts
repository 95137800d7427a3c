import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { throttle } from '../../lib/timing.ts';

/** Throttle: many chats at once are one reason to read the counts again. */
const RELOAD_AFTER_MS = 500;

/** Keeps the counts of the sites' chats as they are, for as long as somebody looks at them. */
export function useSiteCounts(): void {
  const client = useQueryClient();
  const [reload, reloadSoon] = useMemo(() => {
    const reload = () => void client.invalidateQueries({ queryKey: keys.sites });
    return [reload, throttle(reload, RELOAD_AFTER_MS)];
  }, [client]);
  useSocketEvents(
    { new_chat: reloadSoon, chat_status_changed: reloadSoon, chat_deleted: reloadSoon, visitor_erased: reloadSoon },
    reload,
  );
}
