import { type InfiniteData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccountPatch, Page, PlatformAccount } from 'server/contract';
import { call } from '../../lib/api.ts';
import { localTimeZone } from '../../lib/format.ts';

const FIGURES = ['admin', 'figures'];
const ACCOUNTS = ['admin', 'accounts'];
const TRAIL = ['admin', 'trail'];
const MAIL_IN = ['admin', 'mailIn'];
/** Polling interval: no socket event reports these figures. */
const FIGURES_EVERY_MS = 30_000;

type AccountPages = InfiniteData<{ users: PlatformAccount[] } & Page, string | undefined>;

export function useFigures() {
  return useQuery({
    queryKey: FIGURES,
    queryFn: ({ signal }) => call('GET /admin/overview', { query: { tz: localTimeZone() }, signal }),
    refetchInterval: FIGURES_EVERY_MS,
  });
}

/** How answers to mails come in; null: they do not. */
export function useMailIn() {
  return useQuery({
    queryKey: MAIL_IN,
    queryFn: async ({ signal }) => (await call('GET /admin/mail-in', { signal })).mailIn,
    refetchInterval: FIGURES_EVERY_MS,
  });
}

/** Accounts, newest first. @param search how words of their names and addresses begin; empty: all */
export function useAccounts(search: string) {
  return useInfiniteQuery({
    queryKey: [...ACCOUNTS, search],
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/users', {
        query: { ...(search && { search }), ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ users }) => users),
    placeholderData: (before) => before,
  });
}

/** Suspends or restores an account, or sets its platform role. */
export function useChangeAccount(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: AccountPatch) => (await call('PATCH /admin/users/:id', { params: { id }, body })).user,
    onSuccess: (user) => {
      client.setQueriesData<AccountPages>({ queryKey: ACCOUNTS }, (held) => held && withAccount(held, user));
      void client.invalidateQueries({ queryKey: TRAIL });
    },
  });
}

/** Who did what, the latest first. */
export function useAuditLog() {
  return useInfiniteQuery({
    queryKey: TRAIL,
    queryFn: ({ pageParam, signal }) =>
      call('GET /admin/audit', { query: pageParam === undefined ? {} : { cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
    staleTime: 0,
  });
}

function withAccount(held: AccountPages, user: PlatformAccount): AccountPages {
  const replaced = (users: PlatformAccount[]) => users.map((each) => (each._id === user._id ? user : each));
  return { ...held, pages: held.pages.map((page) => ({ ...page, users: replaced(page.users) })) };
}
