import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '../../lib/api.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { mentionsQuery, useMentions } from './api.ts';
import { useFocus } from './tabs.ts';

/** Keeps the list of mentions up to date, and marks those in the open chat as read. @param chatId the open chat */
export function useMentionsLive(chatId: string | null): void {
  const client = useQueryClient();
  // A failure is not shown: the next connect loads them again.
  const reload = () => void client.fetchQuery({ ...mentionsQuery, staleTime: 0 }).catch(() => {});
  useSocketEvents({ mentioned: reload, mentions_changed: reload }, reload);
  const isOpen = useMentions().some((mention) => mention.chatId === chatId);
  const isSeen = useFocus() && isOpen;
  useEffect(() => {
    if (!isSeen || chatId === null) return;
    call('POST /chats/:id/mentions/read', { params: { id: chatId } }).catch((error: unknown) =>
      console.warn('The mentions could not be marked as read', error),
    );
  }, [isSeen, chatId]);
}
