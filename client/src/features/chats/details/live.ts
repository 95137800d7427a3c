import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Chat } from 'server/contract';
import { type SocketHandlers, useSocketEvents } from '../../../lib/socket.tsx';
import { patchThread } from '../live/cache.ts';

/** Keeps what is known of an open chat's visitor as it is; with every connection the thread is read anew, and this with it. */
export function useVisitorLive({ _id, visitorId }: Chat): void {
  const client = useQueryClient();
  useSocketEvents(handlersOf(client, _id, visitorId));
}

function handlersOf(client: QueryClient, chatId: string, visitorId: string): SocketHandlers {
  return {
    visitor_updated: ({ visitorId: of, page, pages, userId, verified, attributes }) => {
      if (of !== visitorId) return;
      patchThread(client, chatId, (thread) => {
        const { visitor } = thread;
        return visitor ? { ...thread, visitor: { ...visitor, page, pages, userId, verified, attributes } } : thread;
      });
    },
  };
}
