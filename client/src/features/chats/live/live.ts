import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { Note, PresenceChange, SiteAvailability, StaffMessage } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { keys } from '../../../lib/query.ts';
import { type SocketHandlers, useSocketEvents } from '../../../lib/socket.tsx';
import { forgetDraftsOf } from '../composer/draft.ts';
import { outboxOf, useDelivery } from '../outbox/outbox.ts';
import { putChat, removeChats } from './cache.ts';
import { useSync } from './sync.ts';
import { mergeChanges, mergeMessages, mergeNotes, mergeReceipts, patchThread, patchThreads } from './thread.ts';

/** Writes the socket's events of chats into the query cache; nothing else does. Mounted once, by the dashboard's frame. */
export function useLive(): void {
  const client = useQueryClient();
  const { user } = useAuth();
  const sync = useSync(client);
  useDelivery(client);

  const onMessage = (message: StaffMessage) => {
    const thread = patchThread(client, message.chatId, (held) => mergeMessages(held, [message]));
    const hasGap = thread && thread.ahead.length > 0;
    if (hasGap) sync();
    if (user && message.senderId === user._id) outboxOf(user).remove(message.clientId);
  };
  const onNote = (note: Note) => {
    patchThread(client, note.chatId, (held) => mergeNotes(held, [note]));
    if (user && note.author._id === user._id) outboxOf(user).remove(note.clientId);
  };
  useSocketEvents(handlersOf(client, onMessage, onNote));
}

function handlersOf(
  client: QueryClient,
  onMessage: (message: StaffMessage) => void,
  onNote: (note: Note) => void,
): SocketHandlers {
  const onPresence = (online: boolean) => (event: PresenceChange) => {
    if (event.kind !== 'visitor') return;
    patchThreads(client, (thread) =>
      thread.visitor?._id === event.visitorId ? { ...thread, visitor: { ...thread.visitor, online } } : thread,
    );
  };
  return {
    new_chat: ({ chat }) => {
      putChat(client, chat);
      void client.invalidateQueries({ queryKey: keys.earlier(chat.visitorId) });
      // The counts on the websites' cards; read again when they are next on a screen.
      void client.invalidateQueries({ queryKey: keys.sites, refetchType: 'none' });
    },
    chat_updated: ({ chat }) => putChat(client, chat),
    chat_deleted: ({ chatId }) => removeChats(client, ({ _id }) => _id === chatId),
    visitor_erased: (event) => {
      removeChats(client, ({ visitorId }) => visitorId === event.visitorId);
      forgetDraftsOf(event.visitorId);
    },
    viewers: ({ chatId, users }) => client.setQueryData(keys.viewers(chatId), users),
    new_message: ({ message }) => onMessage(message),
    message_changed: ({ chatId, message }) => {
      patchThread(client, chatId, (thread) => mergeChanges(thread, { edited: [message] }));
    },
    note_added: ({ note }) => onNote(note),
    receipts: ({ chatId, party, delivered, read }) => {
      patchThread(client, chatId, (thread) => mergeReceipts(thread, { [party]: { delivered, read } }));
    },
    user_online: onPresence(true),
    user_offline: onPresence(false),
    site_availability: ({ sites }) =>
      client.setQueryData<Record<string, SiteAvailability>>(keys.availability, (held) => ({
        ...held,
        ...Object.fromEntries(sites.map((site) => [site.siteId, site])),
      })),
    site_updated: ({ siteId }) => {
      for (const queryKey of [keys.sites, keys.site(siteId), keys.departments(siteId), keys.chats()])
        void client.invalidateQueries({ queryKey });
    },
  };
}
