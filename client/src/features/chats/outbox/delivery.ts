import type { QueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import type { User } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { useAuth } from '../../../lib/auth.tsx';
import { useSocket } from '../../../lib/socket.tsx';
import { localStore } from '../../../lib/storage.ts';
import { patchThread } from '../live/cache.ts';
import { mergeNotes } from '../model/notes.ts';
import { mergeMessages } from '../model/thread.ts';
import { type Carrier, createOutbox, type Outbox } from './outbox.ts';
import type { Outgoing } from './outboxStorage.ts';

type Request = ReturnType<typeof useSocket>['request'];

const outboxes = new Map<string, Outbox>();
const NONE: readonly Outgoing[] = [];

/** The user's own outbox; nobody's while nobody is signed in. */
export function outboxOf(user: User | null): Outbox | null {
  if (!user) return null;
  const outbox = outboxes.get(user._id) ?? createOutbox(user._id, localStore);
  outboxes.set(user._id, outbox);
  return outbox;
}

/** The signed-in user's unsent messages of a chat, and what can be done with them. */
export function useOutgoing(chatId: string) {
  const { user } = useAuth();
  const outbox = outboxOf(user);
  const items = useSyncExternalStore(
    useCallback((listener: () => void) => outbox?.subscribe(listener) ?? (() => undefined), [outbox]),
    () => outbox?.list(chatId) ?? NONE,
  );
  return { items, outbox };
}

/** Sends what the signed-in user has written, now and whenever the connection is back. */
export function useDelivery(client: QueryClient): void {
  const { user, token: bearer } = useAuth();
  const { connected, request } = useSocket();
  const outbox = outboxOf(user);

  useEffect(
    () => (bearer === null ? undefined : outbox?.start(carrierOf(client, bearer, connected ? request : null))),
    [outbox, client, bearer, connected, request],
  );

  useEffect(() => {
    const wake = () => outbox?.wake();
    window.addEventListener('online', wake);
    return () => window.removeEventListener('online', wake);
  }, [outbox]);
}

/**
 * @param bearer the writer's: by now the page may be somebody else's
 * @param request asks over the socket; null while there is none
 */
function carrierOf(client: QueryClient, bearer: string, request: Request | null): Carrier {
  return async ({ chatId, clientId, content, note: isNote }, via) => {
    const params = { id: chatId };
    if (isNote) {
      const { note } = await call('POST /chats/:id/notes', { params, body: { clientId, content }, bearer });
      patchThread(client, chatId, (thread) => mergeNotes(thread, [note]));
      return;
    }
    const { message } =
      via === 'socket' && request
        ? await request('send_message', { chatId, clientId, content })
        : await call('POST /chats/:id/messages', { params, body: { clientId, content, type: 'text' }, bearer });
    patchThread(client, chatId, (thread) => mergeMessages(thread, [message]));
  };
}
