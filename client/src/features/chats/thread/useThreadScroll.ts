import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This near to the end, new messages pull the thread along. */
const NEAR_END_PX = 64;
/** This near to the start, older messages are fetched. */
const NEAR_START_PX = 600;
/** So many entries are remembered by their place; the topmost may be drawn anew when older ones join it. */
const ANCHORS = 3;

interface ThreadScroll {
  /** What scrolls. */
  view: RefObject<HTMLDivElement | null>;
  /** What is scrolled: its children are the entries. */
  content: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

/** An entry on the screen, and how far below the top of the view it stands. */
interface Anchor {
  entry: Element;
  top: number;
}

/**
 * Keeps a thread's place: at the end while one is there, else on the entry one looks at, whatever is put above it or
 * takes its true size only now.
 * @param entries changes with every entry that comes or goes
 * @param onNearStart asked for older messages; must bear being asked again
 */
export function useThreadScroll(entries: string, onNearStart: () => void): ThreadScroll {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const place = useRef<{ atEnd: boolean; anchors: Anchor[] }>({ atEnd: true, anchors: [] });
  const nearStart = useRef(onNearStart);
  useEffect(() => {
    nearStart.current = onNearStart;
  });

  const look = useCallback(() => {
    const box = view.current;
    if (!box || !content.current) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;
    place.current = { atEnd: isAtEnd, anchors: anchorsIn(box, content.current) };
    setAtEnd(isAtEnd);
    if (box.scrollTop < NEAR_START_PX) nearStart.current();
  }, []);

  const keep = useCallback(() => {
    const box = view.current;
    if (!box) return;
    if (place.current.atEnd) box.scrollTop = box.scrollHeight;
    else {
      const held = place.current.anchors.find(({ entry }) => entry.isConnected);
      if (held) box.scrollTop += topIn(box, held.entry) - held.top;
    }
    look();
  }, [look]);

  const toEnd = useCallback(() => {
    place.current.atEnd = true;
    keep();
  }, [keep]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `entries` is what there is to react to
  useLayoutEffect(keep, [keep, entries]);

  // A window that changes its size, a composer that grows, a picture, an entry that is drawn only now.
  useEffect(() => {
    const [box, inner] = [view.current, content.current];
    if (!box || !inner) return;
    const observer = new ResizeObserver(keep);
    observer.observe(box);
    observer.observe(inner);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [keep, look]);

  return { view, content, atEnd, toEnd };
}

/** The first entries on the screen, found by halving, since there may be thousands; a rule moves with what it heads. */
function anchorsIn(box: Element, content: Element): Anchor[] {
  const { children } = content;
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = children[middle];
    if (entry && topIn(box, entry) + entry.clientHeight <= 0) low = middle + 1;
    else high = middle;
  }
  const shown = Array.from({ length: 2 * ANCHORS }, (_, index) => children[low + index]);
  return shown
    .flatMap((entry) => (entry && !entry.hasAttribute('data-rule') ? [{ entry, top: topIn(box, entry) }] : []))
    .slice(0, ANCHORS);
}

function topIn(box: Element, entry: Element): number {
  return entry.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
