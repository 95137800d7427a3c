import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ChatFilter } from './model/chatPages.ts';

const STATUSES = ['all', 'waiting', 'active', 'closed'] as const;

/** The inbox's filters in the order of the screen. */
export const CHAT_STATUSES: readonly ChatFilter['status'][] = STATUSES;

/** What the user has chosen to see. */
export interface Choices {
  status: ChatFilter['status'];
  /** A site's id; null: all of them. */
  site: string | null;
  mine: boolean;
  sort: 'activity' | 'waiting';
  search: string;
}

/** What is seen where nothing was chosen; of these the address says nothing. */
export const ALL_CHATS: Choices = { status: 'all', site: null, mine: false, sort: 'activity', search: '' };

/** Which chat is open and which are listed: kept in the address, so that it survives a reload and can be passed on. */
export function useChatsUrl() {
  const [params, setParams] = useSearchParams();
  const choices = useMemo(() => choicesOf(params), [params]);

  /** The address with some things changed; an empty one is taken out. */
  const searchWith = useCallback(
    (change: Partial<Choices> & { chat?: string | null }) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(change)) {
        const said = wordOf(value);
        if (said === '' || value === ALL_CHATS[name as keyof Choices]) next.delete(name);
        else next.set(name, said);
      }
      return next;
    },
    [params],
  );

  return {
    chatId: params.get('chat'),
    choices,
    linkTo: (chat: string) => `?${searchWith({ chat })}`,
    open: (chat: string) => setParams(searchWith({ chat })),
    leave: () => setParams(searchWith({ chat: null })),
    choose: (change: Partial<Choices>) => setParams(searchWith(change), { replace: true }),
  };
}

/** The list that the choices of a user mean. */
export function filterOf({ status, site, mine, sort, search }: Choices, userId: string): ChatFilter {
  return {
    status,
    ...(site !== null && { site }),
    ...(mine && { claimedBy: userId }),
    ...(sort === 'waiting' && { sort }),
    ...(search.trim() !== '' && { search: search.trim() }),
  };
}

/** What the address says, as far as it makes sense: anybody may have typed it. */
function choicesOf(params: URLSearchParams): Choices {
  return {
    status: STATUSES.find((each) => each === params.get('status')) ?? ALL_CHATS.status,
    site: params.get('site'),
    mine: params.get('mine') === 'yes',
    sort: params.get('sort') === 'waiting' ? 'waiting' : ALL_CHATS.sort,
    search: params.get('search') ?? '',
  };
}

function wordOf(value: string | boolean | null): string {
  return value === true ? 'yes' : value || '';
}
