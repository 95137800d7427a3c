import { useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** All rows are this high, so that a list of thousands can be laid out without drawing them. */
const ROW_HEIGHT_PX = 92;
/** Up to here every row is drawn, and the browser's own search finds it. */
const DRAWN_WHOLE = 100;
const OVERSCAN = 8;
const SKELETON_ROWS = [1, 2, 3, 4, 5, 6, 7, 8];
/** This many rows before the end the next page is asked for. */
const FETCH_AHEAD = 10;

interface ListProps {
  chats: readonly Chat[];
  /** Draws a row, a list item of the height of all. */
  row: (chat: Chat) => ReactNode;
  /** Asks for more rows; must bear being asked again. */
  onNearEnd: () => void;
}

/** The rows of a list. Long ones are drawn in part; rows that arrive above do not move what one looks at. */
export function List({ chats, row, onNearEnd }: ListProps) {
  const view = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: chats.length,
    getScrollElement: () => view.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: OVERSCAN,
    enabled: chats.length > DRAWN_WHOLE,
  });
  useStillRows(view, chats);

  const look = () => {
    const box = view.current;
    // A list that is not shown has no height, and no end to come near to: behind an open chat of a phone, say.
    if (!box || box.clientHeight === 0) return;
    const rest = box.scrollHeight - box.scrollTop - box.clientHeight;
    if (rest < FETCH_AHEAD * ROW_HEIGHT_PX) onNearEnd();
  };
  // A page shorter than the screen has no scrolling to react to.
  useEffect(look);

  const items = chats.length > DRAWN_WHOLE ? virtual.getVirtualItems() : null;
  const shown = items ? chats.slice(items[0]?.index ?? 0, (items.at(-1)?.index ?? -1) + 1) : chats;
  return (
    <div ref={view} onScroll={look} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
      <ul
        aria-label="Chats"
        style={items ? { height: virtual.getTotalSize(), paddingTop: items[0]?.start ?? 0 } : undefined}
      >
        {shown.map((chat) => (
          <Fragment key={chat._id}>{row(chat)}</Fragment>
        ))}
      </ul>
    </div>
  );
}

/** Holds the topmost row on its place when others come, go or move above it; at the very top the newest is shown. */
function useStillRows(view: RefObject<HTMLDivElement | null>, chats: readonly Chat[]): void {
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

/** The rows' shape while they are on their way. */
export function ListSkeleton() {
  return (
    <div role="status" className="min-h-0 flex-1 overflow-hidden">
      <span className="sr-only">Loading chats</span>
      {SKELETON_ROWS.map((row) => (
        <div key={row} className="flex h-23 gap-3 border-b px-4 py-3">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <div className="flex-1">
            <Skeleton className="mt-1 h-3.5 w-2/5" />
            <Skeleton className="mt-2 h-3.5 w-4/5" />
            <Skeleton className="mt-3 h-4 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  );
}
