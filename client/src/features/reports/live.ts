import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSocketEvents } from '../../lib/socket.tsx';
import { throttle } from '../../lib/timing.ts';
import { reportKey } from './api.ts';

/** Throttle: many events at once are one reason to read the report again. */
const REPORT_AFTER_MS = 2_000;

/** Keeps the shown report up to date. */
export function useReportsLive(): void {
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: reportKey() });
  const handlers = useMemo(() => {
    const soon = throttle(() => void client.invalidateQueries({ queryKey: reportKey() }), REPORT_AFTER_MS);
    return {
      new_chat: soon,
      chat_closed: soon,
      chat_reopened: soon,
      chat_deleted: soon,
      visitor_erased: soon,
      chat_updated: ({ chat }: { chat: { rating: unknown } }) => {
        if (chat.rating) soon();
      },
    };
  }, [client]);
  useSocketEvents(handlers, reload);
}
