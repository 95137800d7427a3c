import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { isFormatted, type User } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { keys } from '../../../lib/query.ts';
import { useSocket } from '../../../lib/socket.tsx';
import { mergeMessages, mergeNotes, patchThread } from '../live/thread.ts';
import { outboxOf, type Transport } from './outbox.ts';
import type { ChatUploads } from './uploads.ts';

/** What a user is sending in one chat: messages and notes through the outbox, files beside it. */
export type Sending = ReturnType<typeof useSending>;

type Request = ReturnType<typeof useSocket>['request'];

/** @param files given by the caller, since only an open chat loads the code of uploads */
export function useSending(chatId: string, user: User, files: ChatUploads) {
  const outbox = outboxOf(user);
  const items = useSyncExternalStore(outbox.subscribe, () => outbox.list(chatId));
  return useMemo(
    () => ({
      /** Unconfirmed messages, notes and files, in the order of writing. */
      outgoing: [...items, ...files.items].sort((a, b) => a.at - b.at),
      send: (text: string) => outbox.add(chatId, text),
      /** @param mentions the ids of the teammates whom the note mentions */
      note: (text: string, mentions: string[]) => outbox.add(chatId, text, true, mentions),
      attach: files.add,
      retry: (clientId: string) => {
        outbox.retry(clientId);
        files.retry(clientId);
      },
      remove: (clientId: string) => {
        outbox.remove(clientId);
        files.remove(clientId);
      },
    }),
    [chatId, outbox, items, files],
  );
}

/** Sends the logged-in user's outbox, and retries it at once whenever the connection is back. Mounted once, by `useLive`. */
export function useDelivery(client: QueryClient): void {
  const { user, token: bearer } = useAuth();
  const { connected, request } = useSocket();
  const outbox = user && outboxOf(user);

  useEffect(
    () => (bearer === null ? undefined : outbox?.start(transportOf(client, bearer, connected ? request : null))),
    [outbox, client, bearer, connected, request],
  );

  useEffect(() => {
    const retryNow = () => outbox?.retryNow();
    window.addEventListener('online', retryNow);
    return () => window.removeEventListener('online', retryNow);
  }, [outbox]);
}

/**
 * @param bearer the writer's token: another user may have logged in on this page before the message is sent
 * @param request sends over the socket; null while it is not connected
 */
function transportOf(client: QueryClient, bearer: string, request: Request | null): Transport {
  return async ({ chatId, clientId, content, note: isNote, mentions }, via) => {
    const params = { id: chatId };
    if (isNote) {
      const { note } = await call('POST /chats/:id/notes', {
        params,
        body: { clientId, content, ...(mentions && { mentions }) },
        bearer,
      });
      patchThread(client, chatId, (thread) => mergeNotes(thread, [note]));
      return;
    }
    const text = { clientId, content, ...(isFormatted(content) && { formatted: true }) };
    const { message } =
      via === 'socket' && request
        ? await request('send_message', { chatId, ...text })
        : await call('POST /chats/:id/messages', { params, body: { ...text, type: 'text' }, bearer });
    patchThread(client, chatId, (thread) => mergeMessages(thread, [message]));
    // The socket that sends an answer gets no event of it.
    void client.invalidateQueries({ queryKey: keys.overview });
  };
}
