import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { MESSAGE_PAGE } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
import { closeWindow, growWindow, isIn, lastSeq, mergeOlder, openWindow, patchThread, type Thread } from './thread.ts';

/** The window opens with about as many messages before the one that is shown as after it. */
const BEFORE = MESSAGE_PAGE / 2;

/**
 * Loads the part of the thread around a message, where it is not loaded.
 * @param at the seq of the message; null: the newest messages are shown
 */
export function useThreadWindow(chatId: string, thread: Thread, at: number | null) {
  const client = useQueryClient();
  const { mutate, status } = useMutation({
    mutationFn: (seq: number) =>
      call('GET /chats/:id/messages', {
        params: { id: chatId },
        query: { after: Math.max(0, seq - 1 - BEFORE), limit: MESSAGE_PAGE },
      }),
    onSuccess: (page) => {
      patchThread(client, chatId, (held) => openWindow(held, page));
    },
  });
  const isHeld = at !== null && isIn(thread.messages, at);
  const isMissing = at !== null && !isHeld && at <= lastSeq(thread) && !isIn(thread.window?.messages ?? [], at);
  useEffect(() => {
    if (isMissing) mutate(at);
  }, [isMissing, at, mutate]);
  const isObsolete = thread.window !== null && (at === null || isHeld);
  useEffect(() => {
    if (isObsolete) patchThread(client, chatId, closeWindow);
  }, [isObsolete, client, chatId]);
  return {
    /** The message is not on the screen yet. */
    isMissing,
    isError: isMissing && (status === 'error' || status === 'success'),
    retry: () => {
      if (at !== null) mutate(at);
    },
  };
}

/** Loads the page before or after the messages held, or those of the window, unless it is on its way. */
export function useLoadMessages(chatId: string, side: 'older' | 'newer', inWindow: boolean) {
  const client = useQueryClient();
  const mutationKey = [side, { inWindow }, chatId];
  const { mutate, isError, isPending } = useMutation({
    mutationKey,
    mutationFn: (seq: number) =>
      call('GET /chats/:id/messages', {
        params: { id: chatId },
        query: side === 'older' ? { before: seq } : { after: seq },
      }),
    onSuccess: (page) => {
      patchThread(client, chatId, (thread) => (inWindow ? growWindow(thread, side, page) : mergeOlder(thread, page)));
    },
  });
  const load = () => {
    // Asked of the caches: what is rendered follows them a moment later, and scrolling does not wait for it.
    const thread = client.getQueryData<Thread>(keys.thread(chatId));
    const held = inWindow ? thread?.window : thread;
    const edge = held?.messages.at(side === 'older' ? 0 : -1)?.seq;
    const hasMore = side === 'newer' || held?.older;
    if (edge !== undefined && hasMore && client.isMutating({ mutationKey }) === 0) mutate(edge);
  };
  return { load, isError, isPending };
}
