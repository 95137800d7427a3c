import { type InfiniteData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import {
  type ExportFormat,
  type HistoryFilters,
  type HistoryPage,
  type HistoryRow,
  PAGE_LIMIT_MAX,
} from 'server/contract';
import { call } from '../../lib/api.ts';
import { localTimeZone } from '../../lib/format.ts';
import { keys } from '../../lib/query.ts';
import { saveFile } from '../../shared/saveFile.ts';

/** The loaded pages of one filtered list. */
export type HistoryPages = InfiniteData<HistoryPage, string | undefined>;

/** Chats that began lately first; `data` holds the rows of all loaded pages, and how many there are in all. */
export function useHistory(filters: HistoryFilters) {
  return useInfiniteQuery({
    queryKey: keys.history(filters),
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { ...filters, limit: PAGE_LIMIT_MAX, ...(cursor !== undefined && { cursor }) };
      return call('GET /chats/history', { query, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: (held) => ({ rows: rowsOf(held), total: held.pages[0]?.total ?? null }),
    // Each search has a query of its own; the previous result stays until the next one is loaded.
    placeholderData: (before) => before,
  });
}

/** Everybody who has claimed a chat, by name. */
export function useSupporters() {
  return useQuery({
    queryKey: keys.supporters,
    queryFn: async ({ signal }) => (await call('GET /chats/supporters', { signal })).supporters,
  });
}

/** What was said in a chat, from its beginning; `data` holds the messages of all loaded pages. */
export function useTranscript(chatId: string) {
  return useInfiniteQuery({
    queryKey: keys.transcript(chatId),
    queryFn: ({ pageParam: after, signal }) =>
      call('GET /chats/:id/messages', { params: { id: chatId }, query: { after, limit: PAGE_LIMIT_MAX }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ messages, more }) => (more ? messages.at(-1)?.seq : undefined),
    select: ({ pages }) => pages.flatMap(({ messages }) => messages),
    staleTime: 0,
  });
}

/** Each chat once: one that began between two page loads may move others into the next page. */
function rowsOf({ pages }: HistoryPages): HistoryRow[] {
  const rows = pages.flatMap(({ chats }) => chats);
  return [...new Map(rows.map((row) => [row._id, row])).values()];
}

export function exportHistory(format: ExportFormat, filters: HistoryFilters): void {
  const query = new URLSearchParams({ format, ...filters });
  void saveFile(`/chats/export?${query}`, `chat-history.${format}`);
}

export function exportChat(chatId: string, format: ExportFormat): void {
  const query = new URLSearchParams({ format, tz: localTimeZone() });
  void saveFile(`/chats/${chatId}/export?${query}`, `chat-${chatId}.${format}`);
}
