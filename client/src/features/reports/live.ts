import { useReload } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { reportKey } from './api.ts';

const REPORT_AFTER_MS = 2_000;

/** Keeps the shown report up to date. */
export function useReportsLive(): void {
  const [reload, soon] = useReload(reportKey(), REPORT_AFTER_MS);
  useSocketEvents(
    {
      new_chat: soon,
      chat_closed: soon,
      chat_reopened: soon,
      chat_deleted: soon,
      visitor_erased: soon,
      chat_updated: ({ chat }) => {
        if (chat.rating) soon();
      },
    },
    reload,
  );
}
