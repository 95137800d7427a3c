import {
  type ComponentProps,
  Fragment,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useListPlace } from './listPlace.ts';
import type { ChatsPage } from './useChatsPage.ts';

/** All rows have this height, so that thousands of them can be laid out without being drawn. */
const ROW_HEIGHT_PX = 76;
/** Longer lists are virtual. Shorter ones are drawn whole, so that the browser's own search finds every row. */
const VIRTUAL_FROM = 100;
const OVERSCAN = 8;
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
/** The next page is requested this many rows before the end. */
const FETCH_AHEAD = 10;

interface ChatPanesProps extends ChatListProps {
  /** Shown above the list. */
  head?: ReactNode;
  /** The open chat, or what stands in its place. */
  children: ReactNode;
}

/** The layout of the inbox and the console: the list beside the open chat. A phone shows one of them. */
export function ChatPanes({ head, children, ...list }: ChatPanesProps) {
  const { open, listRef, filter } = list.page;
  return (
    <>
      <section
        ref={listRef}
        // Takes the focus of a row that goes away.
        tabIndex={-1}
        data-rows
        aria-label={t('Chat list')}
        className={cx(
          'flex w-full shrink-0 flex-col bg-surface outline-none md:w-80 md:border-e lg:w-86',
          open && 'max-md:hidden',
        )}
      >
        {head}
        {/* Another list is scrolled to its top. */}
        <ChatList key={JSON.stringify(filter)} {...list} />
      </section>
      <div className={cx('flex min-w-0 flex-1', !open && 'max-md:hidden')}>{children}</div>
    </>
  );
}

/** The props for the list item of a row: its number in the list, of which only a part may be drawn or loaded. */
export type RowPlace = Pick<ComponentProps<'li'>, 'aria-posinset' | 'aria-setsize'>;

interface ChatListProps {
  page: ChatsPage;
  /** Draws a row: a list item of `ROW_HEIGHT_PX` with these props. */
  row: (chat: Chat, place: RowPlace) => ReactNode;
  /** Shown in place of an empty list. */
  empty: ReactNode;
}

/** A list of chats: loading, failed, empty, or its rows. The next page is requested before one reaches the end (infinite scroll). */
function ChatList({ page: { listRef, chats: list, open }, row, empty }: ChatListProps) {
  const focusHandlers = useListPlace(listRef, list.data, open?.chatId);
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
      {list.data.length === 0 ? (
        empty
      ) : (
        <Rows {...focusHandlers} chats={list.data} more={list.hasNextPage} row={row} onNearEnd={loadMore} />
      )}
      {list.isFetchNextPageError && (
        <ErrorState what={t('More chats could not be loaded.')} onRetry={() => void list.fetchNextPage()} />
      )}
    </>
  );
}

interface RowsProps extends Pick<ChatListProps, 'row'>, ReturnType<typeof useListPlace> {
  chats: readonly Chat[];
  /** Whether there are more of them on the server. */
  more: boolean;
  /** Called again and again while the end is near. */
  onNearEnd: () => void;
}

/** Long lists are virtual; rows that are added above the visible ones do not move them. */
function Rows({ chats, more, row, onNearEnd, ...focusHandlers }: RowsProps) {
  const view = useRef<HTMLDivElement>(null);
  /** The topmost visible row, and how many of them fit. */
  const [top, setTop] = useState(0);
  const [fitting, setFitting] = useState(() => rowsIn(window.innerHeight));
  useScrollAnchor(view, chats);

  const look = () => {
    const box = view.current;
    // A hidden list, as behind an open chat on a phone, has no height: its end would always seem near.
    if (!box || box.clientHeight === 0) return;
    setTop(Math.floor(box.scrollTop / ROW_HEIGHT_PX));
    setFitting(rowsIn(box.clientHeight));
    const rest = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (rest < FETCH_AHEAD * ROW_HEIGHT_PX) onNearEnd();
  };
  // A list shorter than the screen cannot be scrolled, so no scroll event would ask for more.
  useEffect(look);
  const onResize = useEffectEvent(look);
  useEffect(() => {
    window.addEventListener('resize', onResize);
    return () => window.removeEventListener('resize', onResize);
  }, []);

  const isVirtual = chats.length > VIRTUAL_FROM;
  const from = isVirtual ? Math.max(0, Math.min(top, chats.length - fitting) - OVERSCAN) : 0;
  const shown = isVirtual ? chats.slice(from, top + fitting + OVERSCAN) : chats;
  // -1: the number is unknown.
  const size = more ? -1 : chats.length;
  return (
    <div
      {...focusHandlers}
      ref={view}
      onScroll={look}
      className="relative min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]"
    >
      <ul
        aria-label={t('Chats')}
        style={isVirtual ? { height: chats.length * ROW_HEIGHT_PX, paddingTop: from * ROW_HEIGHT_PX } : undefined}
      >
        {shown.map((chat, index) => (
          <Fragment key={chat._id}>{row(chat, { 'aria-posinset': from + index + 1, 'aria-setsize': size })}</Fragment>
        ))}
      </ul>
    </div>
  );
}

function rowsIn(heightPx: number): number {
  return Math.ceil(heightPx / ROW_HEIGHT_PX) + 1;
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
