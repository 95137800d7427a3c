import { keys, useReload } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';

const RELOAD_AFTER_MS = 500;

/** Keeps the counts of the sites' chats as they are, for as long as somebody looks at them. */
export function useSiteCounts(): void {
  const [reload, soon] = useReload(keys.sites, RELOAD_AFTER_MS);
  useSocketEvents({ new_chat: soon, chat_status_changed: soon, chat_deleted: soon, visitor_erased: soon }, reload);
}
