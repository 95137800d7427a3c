import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { ChatFilter } from './rows.ts';

const STATUSES = ['all', 'waiting', 'active', 'closed'] as const;

/** The inbox's filters in the order of the screen. */
export const CHAT_STATUSES: readonly ChatFilter['status'][] = STATUSES;

/** Which chat is open and which are listed: kept in the address, so that it survives a reload and can be passed on. */
export function useInboxUrl() {
  const [params, setParams] = useSearchParams();
  const chatId = params.get('chat');
  const site = params.get('site');
  const status = STATUSES.find((each) => each === params.get('status')) ?? 'all';
  const filter = useMemo<ChatFilter>(() => ({ status, ...(site !== null && { site }) }), [status, site]);

  /** The address with one thing changed; `null` takes it out. */
  const searchWith = useCallback(
    (change: Record<string, string | null>) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(change)) {
        if (value === null) next.delete(name);
        else next.set(name, value);
      }
      return next;
    },
    [params],
  );

  return {
    chatId,
    filter,
    linkTo: (chat: string) => `?${searchWith({ chat })}`,
    leave: () => setParams(searchWith({ chat: null })),
    choose: ({ status, site }: { status?: ChatFilter['status']; site?: string | null }) =>
      setParams(
        searchWith({
          ...(status !== undefined && { status: status === 'all' ? null : status }),
          ...(site !== undefined && { site }),
        }),
        { replace: true },
      ),
  };
}
