import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Note, PresenceFact, ServerToClientEvents, StaffMessage } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { keys } from '../../../lib/query.ts';
import { useSocket } from '../../../lib/socket.tsx';
import { mergeNotes } from '../model/notes.ts';
import { mergeMessages, mergeReceipts } from '../model/thread.ts';
import { outboxOf, useDelivery } from '../outbox/sending.ts';
import { dropChats, keepChat, patchThread, patchThreads } from './cache.ts';
import { useSync } from './sync.ts';

type Handlers = Partial<ServerToClientEvents>;

/** The one place where what the socket tells becomes cache data. Mounted once, by the frame of the dashboard. */
export function useLive(): void {
  const client = useQueryClient();
  const { socket } = useSocket();
  const { user } = useAuth();
  const sync = useSync(client);
  useDelivery(client);

  useEffect(() => {
    if (!socket) return;
    const onMessage = (message: StaffMessage) => {
      const thread = patchThread(client, message.chatId, (held) => mergeMessages(held, [message]));
      // A hole: something was missed.
      if (thread && thread.ahead.length > 0) sync();
      if (user && message.senderId === user._id) outboxOf(user).remove(message.clientId);
    };
    const onNote = (note: Note) => {
      patchThread(client, note.chatId, (held) => mergeNotes(held, [note]));
      if (user && note.author._id === user._id) outboxOf(user).remove(note.clientId);
    };
    const entries = Object.entries(handlersOf(client, onMessage, onNote));
    for (const [event, handler] of entries) socket.on(event as keyof Handlers, handler);
    return () => {
      for (const [event, handler] of entries) socket.off(event as keyof Handlers, handler);
    };
  }, [socket, client, sync, user]);
}

function handlersOf(
  client: QueryClient,
  onMessage: (message: StaffMessage) => void,
  onNote: (note: Note) => void,
): Handlers {
  const onPresence = (online: boolean) => (fact: PresenceFact) => {
    if (fact.kind !== 'visitor') return;
    patchThreads(client, (thread) =>
      thread.visitor?._id === fact.visitorId ? { ...thread, visitor: { ...thread.visitor, online } } : thread,
    );
  };
  return {
    new_chat: ({ chat }) => {
      keepChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.earlier(chat.visitorId) });
      // The counts on the sites' cards; read again when somebody looks at them.
      void client.invalidateQueries({ queryKey: keys.sites, refetchType: 'none' });
    },
    chat_updated: ({ chat }) => keepChat(client, chat),
    chat_deleted: ({ chatId }) => dropChats(client, ({ _id }) => _id === chatId),
    visitor_erased: (fact) => dropChats(client, ({ visitorId }) => visitorId === fact.visitorId),
    viewers: ({ chatId, users }) => client.setQueryData(keys.viewers(chatId), users),
    new_message: ({ message }) => onMessage(message),
    note_added: ({ note }) => onNote(note),
    receipts: ({ chatId, party, delivered, read }) => {
      patchThread(client, chatId, (thread) => mergeReceipts(thread, { [party]: { delivered, read } }));
    },
    user_online: onPresence(true),
    user_offline: onPresence(false),
    site_updated: ({ siteId }) => {
      for (const queryKey of [keys.sites, keys.site(siteId), keys.chats()]) void client.invalidateQueries({ queryKey });
    },
  };
}
