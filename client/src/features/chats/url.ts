import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ChatFilter } from './model/chatPages.ts';

/** The inbox's filters in the order of the screen. */
export const CHAT_STATUSES = ['all', 'waiting', 'active', 'snoozed', 'assistant', 'closed'] as const;

/** The user's choice of chats. */
export interface Choices {
  status: ChatFilter['status'];
  /** A site's id; null: all of them. */
  site: string | null;
  /** `me`, `none`, or a user's id; null: whoever has the chat. */
  agent: string | null;
  unread: boolean;
  tag: string | null;
  /** A department's id, or `none`; null: chats of any, or of none. */
  department: string | null;
  sort: 'activity' | 'waiting';
  search: string;
}

/** The defaults, which the address leaves out. */
export const DEFAULT_CHOICES: Choices = {
  status: 'all',
  site: null,
  agent: null,
  unread: false,
  tag: null,
  department: null,
  sort: 'activity',
  search: '',
};

/** The open chat and the list's filters, kept in the page's address: it survives a reload and can be sent to others. */
export function useChatsUrl() {
  const [params, setParams] = useSearchParams();
  const choices = useMemo(() => choicesOf(params), [params]);

  /** The query string with some parameters changed; empty and default values are left out. */
  const searchWith = useCallback(
    (change: Partial<Choices> & { chat?: string | null; at?: number | null }) => {
      const next = new URLSearchParams(params);
      if ('at' in change) for (const name of ['note', 'do', 'reply']) next.delete(name);
      for (const [name, value] of Object.entries(change)) {
        const param = paramOf(value);
        if (name === 'agent') next.delete('mine');
        if (param === '' || value === DEFAULT_CHOICES[name as keyof Choices]) next.delete(name);
        else next.set(name, param);
      }
      return next;
    },
    [params],
  );

  return {
    chatId: params.get('chat'),
    /** The seq of the message to show; null: the newest. */
    at: seqOf(params.get('at')),
    choices,
    linkTo: (chat: string) => `?${searchWith({ chat, at: null })}`,
    open: (chat: string) => setParams(searchWith({ chat, at: null })),
    // At once: a chat that is still shown reports what arrives meanwhile as read.
    leave: () => setParams(searchWith({ chat: null, at: null }), { flushSync: true }),
    showMessage: (at: number | null) =>
      setParams(searchWith({ at }), { replace: true, state: { shownAt: Date.now() } }),
    choose: (change: Partial<Choices>) => setParams(searchWith(change), { replace: true }),
  };
}

/** The filter of the list that the user has chosen. */
export function filterOf(
  { status, site, agent, unread, tag, department, sort, search }: Choices,
  userId: string,
): ChatFilter {
  return {
    status,
    ...(site !== null && { site }),
    ...(agent !== null && { claimedBy: agent === 'me' ? userId : agent }),
    ...(unread && { unread: 'yes' }),
    ...(tag !== null && { tag }),
    ...(department !== null && { department }),
    ...(sort === 'waiting' && { sort }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}

/** Unknown values are ignored: anybody may have typed the address. */
function choicesOf(params: URLSearchParams): Choices {
  return {
    status: CHAT_STATUSES.find((each) => each === params.get('status')) ?? DEFAULT_CHOICES.status,
    site: params.get('site'),
    // Older links say `mine`.
    agent: params.get('agent') || (params.get('mine') === 'yes' ? 'me' : null),
    unread: params.get('unread') === 'yes',
    tag: params.get('tag') || null,
    department: params.get('department') || null,
    sort: params.get('sort') === 'waiting' ? 'waiting' : DEFAULT_CHOICES.sort,
    search: params.get('search') ?? '',
  };
}

function paramOf(value: string | number | boolean | null): string {
  return value === true ? 'yes' : String(value || '');
}

function seqOf(param: string | null): number | null {
  return param !== null && /^[1-9]\d{0,8}$/.test(param) ? Number(param) : null;
}

/** Whether the list may lack chats. */
export function isFiltered(choices: Choices): boolean {
  return Object.entries(choices).some(
    ([name, value]) => name !== 'sort' && value !== DEFAULT_CHOICES[name as keyof Choices],
  );
}
