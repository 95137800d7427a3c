import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Chat, HistoryRow } from 'server/contract';
import { keys } from '../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../lib/socket.tsx';
import type { HistoryPages } from './api.ts';

const MINUTE_MS = 60_000;

/**
 * Keeps the shown rows up to date. New chats are not inserted, so that rows do not move; they show when the list is
 * loaded again.
 */
export function useHistoryLive(): void {
  const client = useQueryClient();
  useSocketEvents(handlersOf(client), () => void client.invalidateQueries({ queryKey: keys.history() }));
}

function handlersOf(client: QueryClient): SocketHandlers {
  const change = (rows: (held: HistoryRow[]) => HistoryRow[]) =>
    client.setQueriesData<HistoryPages>({ queryKey: keys.history() }, (held) => {
      if (!held) return held;
      return { ...held, pages: held.pages.map((page) => ({ ...page, chats: rows(page.chats) })) };
    });
  return {
    new_chat: () => void client.invalidateQueries({ queryKey: keys.history(), refetchType: 'none' }),
    chat_updated: ({ chat }) => {
      change((held) => held.map((row) => (row._id === chat._id && row.rev < chat.rev ? rowOf(chat) : row)));
      void client.invalidateQueries({ queryKey: keys.transcript(chat._id) });
    },
    chat_claimed: () => void client.invalidateQueries({ queryKey: keys.supporters }),
    chat_deleted: ({ chatId }) => change((held) => held.filter((row) => row._id !== chatId)),
    visitor_erased: ({ visitorId }) => change((held) => held.filter((row) => row.visitorId !== visitorId)),
  };
}

/** The row of a chat; the duration is computed as on the server: whole minutes until the last activity. */
function rowOf(chat: Chat): HistoryRow {
  const ms = Date.parse(chat.metadata.lastActivity) - Date.parse(chat.createdAt);
  return { ...chat, durationMinutes: Math.max(0, Math.floor(ms / MINUTE_MS)) };
}
