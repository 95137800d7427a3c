import { useMemo, useRef } from 'react';
import type { Chat, User } from 'server/contract';
import {
  byActivity,
  type ChatFilter,
  type Comparator,
  comparatorOf,
  filterOf,
  inboxKeymap,
  type OpenChatProps,
  useChats,
  useChatsUrl,
} from '#features/chats';
import { useShortcuts } from '../../../lib/keyboard.ts';

export type ChatsPage = ReturnType<typeof useChatsPage>;

/**
 * What the inbox and the console have in common: the list that the address asks for, the open chat, and the keys to both.
 * @param site the id of the only site whose chats are listed
 */
export function useChatsPage(user: User, site?: string) {
  const url = useChatsUrl();
  const choices = useMemo(() => (site === undefined ? url.choices : { ...url.choices, site }), [url.choices, site]);
  const filter = useMemo(() => filterOf(choices, user._id), [choices, user._id]);
  const chats = useChats(filter, true, displayOrderOf(filter));
  const listRef = useRef<HTMLElement>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  useShortcuts(
    inboxKeymap({
      reply: () => composer.current?.focus(),
      search: () => searchRef.current?.focus(),
    }),
  );
  const { chatId, at, showMessage: onShow, leave: onBack } = url;
  const open: OpenChatProps | null = chatId === null ? null : { chatId, user, composer, at, onShow, onBack };
  return { url, choices, filter, chats, open, listRef, searchRef };
}

/** The order of a list's rows: chats that are over come after all others, unless they are sorted in another way. */
export function displayOrderOf(filter: ChatFilter): Comparator {
  return filter.sort === 'waiting' || filter.search ? comparatorOf(filter) : openFirst;
}

function openFirst(a: Chat, b: Chat): number {
  return +(a.status === 'closed') - +(b.status === 'closed') || byActivity(a, b);
}
