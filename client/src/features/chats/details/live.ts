import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Chat } from 'server/contract';
import { type Heard, useHeard } from '../../../lib/heard.ts';
import { patchThread } from '../live/cache.ts';

/** Keeps what is known of an open chat's visitor as it is; with every connection the thread is read anew, and this with it. */
export function useVisitorLive({ _id, visitorId }: Chat): void {
  const client = useQueryClient();
  useHeard(
    useMemo(() => heardBy(client, _id, visitorId), [client, _id, visitorId]),
    nothing,
  );
}

function heardBy(client: QueryClient, chatId: string, visitorId: string): Heard {
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

function nothing(): void {}
