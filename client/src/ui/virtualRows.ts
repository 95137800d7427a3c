import { useVirtualizer, useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Shorter lists are rendered whole, so that the browser's own search finds every row. */
const RENDERED_WHOLE = 100;
const OVERSCAN = 8;

/**
 * Virtualises a long list within a scroll container around it.
 * @param box begins where the list begins
 * @param rowHeight about the height of a row, until it is measured
 * @returns the rows to render, from which index on, and the heights of the others `above` and `below`; `measure`: the ref of every
 * rendered row, which also needs `data-index`, unless all are rendered; `view`: the scroll container, null if the document scrolls
 */
export function useVirtualRows<Row extends { _id: string }>(
  box: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowHeight: number,
) {
  const partly = rows.length > RENDERED_WHOLE;
  const { view, start } = useScrollContainer(box, partly);
  const options = {
    count: rows.length,
    getItemKey: (index: number) => rows[index]?._id ?? index,
    estimateSize: () => rowHeight,
    scrollMargin: start,
    overscan: OVERSCAN,
  };
  const within = useVirtualizer<HTMLElement, HTMLElement>({
    ...options,
    getScrollElement: () => view,
    initialOffset: () => view?.scrollTop ?? 0,
    enabled: partly && view !== null,
  });
  const whole = useWindowVirtualizer<HTMLElement>({ ...options, enabled: partly && view === null });
  const virtual = view ? within : whole;
  virtual.shouldAdjustScrollPositionOnItemSizeChange = correctsScroll;
  const items = partly ? virtual.getVirtualItems() : [];
  useScrollAnchor(view, rows, items, virtual.scrollOffset ?? 0);
  if (!partly) return { shown: rows, from: 0, above: 0, below: 0, measure: undefined, view };

  // Until the viewport is known, the first rows stay rendered, so that nothing moves.
  const [from, to] = [items[0]?.index ?? 0, items.at(-1)?.index ?? RENDERED_WHOLE - 1];
  const { measurementsCache: places } = virtual;
  return {
    shown: rows.slice(from, to + 1),
    from,
    above: (places[from]?.start ?? start) - start,
    below: virtual.getTotalSize() - ((places[to]?.end ?? start) - start),
    measure: virtual.measureElement,
    view,
  };
}

/** Without scroll anchoring in the browser, the virtualizer must correct the scroll position; both would do it twice. */
const correctsScroll = () => !('overflowAnchor' in document.documentElement.style);

/** Scroll anchoring: keeps the topmost row in place when rows above it change, unless the list is scrolled to the top. */
function useScrollAnchor(
  view: HTMLElement | null,
  rows: readonly unknown[],
  items: readonly VirtualItem[],
  offset: number,
): void {
  const before = useRef({ rows, items });
  useLayoutEffect(() => {
    const old = before.current;
    before.current = { rows, items };
    if (old.rows === rows) return;
    const starts = new Map(items.map(({ key, start }) => [key, start]));
    const held = old.items.find(({ key, start }) => starts.has(key) && start >= offset);
    const moved = held ? (starts.get(held.key) ?? held.start) - held.start : 0;
    if (moved !== 0 && (old.items[0]?.start ?? 0) < offset) (view ?? window).scrollBy(0, moved);
  });
}

/** The scroll container of a list, and the offset of the list within it. */
function useScrollContainer(box: RefObject<HTMLElement | null>, partly: boolean) {
  const [found, setFound] = useState<{ view: HTMLElement | null; start: number }>({ view: null, start: 0 });
  const measureStart = useCallback(() => {
    if (!box.current) return;
    const view = scrollerOf(box.current);
    const origin = view ? view.getBoundingClientRect().top - view.scrollTop : -window.scrollY;
    const start = box.current.getBoundingClientRect().top - origin;
    setFound((held) => (held.view === view && held.start === start ? held : { view, start }));
  }, [box]);
  // After every render: content above may have grown.
  useLayoutEffect(measureStart);
  // It may also grow without a render.
  const { view } = found;
  useEffect(() => {
    if (!partly) return;
    const observer = new ResizeObserver(measureStart);
    for (const part of view?.children ?? [document.body]) observer.observe(part);
    return () => observer.disconnect();
  }, [measureStart, view, partly]);
  return found;
}

function scrollerOf(list: HTMLElement): HTMLElement | null {
  for (let at = list.parentElement; at; at = at.parentElement) {
    if (/^(auto|scroll)$/.test(getComputedStyle(at).overflowY)) return at;
  }
  return null;
}
