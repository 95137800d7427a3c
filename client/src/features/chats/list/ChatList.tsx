import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import type { useChats } from '../api.ts';
import { byActivity, type ChatFilter, type Comparator, comparatorOf } from '../model/chatPages.ts';

/** All rows have this height, so that thousands of them can be laid out without being drawn. */
const ROW_HEIGHT_PX = 76;
/** Longer lists are virtual. Shorter ones are drawn whole, so that the browser's own search finds every row. */
const VIRTUAL_FROM = 100;
const OVERSCAN = 8;
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
/** The next page is requested this many rows before the end. */
const FETCH_AHEAD = 10;

interface ChatPanesProps {
  /** Where `moveFocus` finds the rows. */
  listRef: RefObject<HTMLElement | null>;
  list: ReactNode;
  /** Whether a chat is open: a phone shows either the chat or the list. */
  open: boolean;
  /** The open chat. */
  children: ReactNode;
}

/** The layout of the inbox and the console: the list beside the open chat. */
export function ChatPanes({ listRef, list, open, children }: ChatPanesProps) {
  return (
    <>
      <section
        ref={listRef}
        aria-label={t('Chat list')}
        className={cx('flex w-full shrink-0 flex-col bg-surface md:w-80 md:border-e lg:w-86', open && 'max-md:hidden')}
      >
        {list}
      </section>
      <div className={cx('flex min-w-0 flex-1', !open && 'max-md:hidden')}>{children}</div>
    </>
  );
}

/** The order of a list's rows: chats that are over come after all others, unless they are sorted in another way. */
export function displayOrderOf(filter: ChatFilter): Comparator {
  return filter.sort || filter.search ? comparatorOf(filter) : openFirst;
}

function openFirst(a: Chat, b: Chat): number {
  return +(a.status === 'closed') - +(b.status === 'closed') || byActivity(a, b);
}

interface ChatListProps {
  list: ReturnType<typeof useChats>;
  /** Draws a row: a list item of `ROW_HEIGHT_PX`. */
  row: (chat: Chat) => ReactNode;
  /** Shown in place of an empty list. */
  empty: ReactNode;
}

/** A list of chats: loading, failed, empty, or its rows with the next page requested before one reaches the end. */
export function ChatList({ list, row, empty }: ChatListProps) {
  const loadMore = () => {
    if (!list.hasNextPage || list.isFetchingNextPage || list.isFetchNextPageError) return;
    // Scrolling and drawing may both call this before `isFetchingNextPage` is true; one request is enough.
    void list.fetchNextPage({ cancelRefetch: false });
  };
  if (!list.data) {
    if (list.isPending) return <ListSkeleton />;
    return <ErrorState what={t('Your chats could not be loaded.')} onRetry={() => void list.refetch()} />;
  }
  return (
    <>
      {list.data.length === 0 ? empty : <Rows chats={list.data} row={row} onNearEnd={loadMore} />}
      {list.isFetchNextPageError && (
        <ErrorState what={t('More chats could not be loaded.')} onRetry={() => void list.fetchNextPage()} />
      )}
    </>
  );
}

interface RowsProps extends Pick<ChatListProps, 'row'> {
  chats: readonly Chat[];
  /** Called again and again while the end is near. */
  onNearEnd: () => void;
}

/** Long lists are virtual; rows that are added above the visible ones do not move them. */
function Rows({ chats, row, onNearEnd }: RowsProps) {
  const view = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: chats.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN,
    enabled: chats.length > VIRTUAL_FROM,
  });
  useScrollAnchor(view, chats);

  const checkEnd = () => {
    const box = view.current;
    // A hidden list, as behind an open chat on a phone, has no height: its end would always seem near.
    if (!box || box.clientHeight === 0) return;
    const rest = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (rest < FETCH_AHEAD * ROW_HEIGHT_PX) onNearEnd();
  };
  // A list shorter than the screen cannot be scrolled, so no scroll event would ask for more.
  useEffect(checkEnd);

  const items = chats.length > VIRTUAL_FROM ? virtual.getVirtualItems() : null;
  const shown = items ? chats.slice(items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1) : chats;
  return (
    <div ref={view} onScroll={checkEnd} className="relative min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
      <ul
        aria-label={t('Chats')}
        style={items ? { height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0 } : undefined}
      >
        {shown.map((chat) => (
          <Fragment key={chat._id}>{row(chat)}</Fragment>
        ))}
      </ul>
    </div>
  );
}

/** Keeps the topmost visible row where it is when rows above it come, go or move. At the very top nothing is kept. */
function useScrollAnchor(view: RefObject<HTMLDivElement | null>, chats: readonly Chat[]): void {
  const before = useRef(chats);
  useLayoutEffect(() => {
    const box = view.current;
    const old = before.current;
    before.current = chats;
    if (!box || old === chats || box.scrollTop < 1) return;
    const from = Math.floor(box.scrollTop / ROW_HEIGHT_PX);
    for (let index = from; index < old.length; index += 1) {
      const now = chats.findIndex((chat) => chat._id === old[index]?._id);
      if (now < 0) continue;
      box.scrollTop += (now - index) * ROW_HEIGHT_PX;
      return;
    }
  }, [view, chats]);
}

function ListSkeleton() {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">{t('Loading chats')}</span>
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-19 gap-3 border-b px-4 py-2">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="flex-1">
            <Skeleton className="mt-1.5 h-3.5 w-2/5" />
            <Skeleton className="mt-1.5 h-3.5 w-4/5" />
            <Skeleton className="mt-1.5 h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
