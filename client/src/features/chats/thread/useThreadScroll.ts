import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Within this distance of the end the thread follows new messages. */
const NEAR_END_PX = 64;
/** Within this distance of the start older messages are loaded. */
const NEAR_START_PX = 600;
/** How many entries are remembered; more than one, since the topmost may be replaced when older messages join its group. */
const ANCHORS = 3;

interface ThreadScrollOptions {
  /** Changes with every entry that comes or goes. */
  entries: string;
  /** The seq of the message that is kept in the middle until the user scrolls; null: none. */
  target: number | null;
  /** Changes when the target is asked for again. */
  request: number | string | undefined;
  /** Whether the last entry is the newest one: only then is its end the thread's end. */
  isNewest: boolean;
  /** Called again and again while the start is near. */
  onNearStart: () => void;
  /** Called again and again while the end is near that is not the thread's. */
  onNearEnd: () => void;
}

/** How the user scrolls; anything else that scrolls is this page's doing. */
const SCROLLED_BY = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** A visible entry, and its distance from the top of the view. */
interface Anchor {
  entry: Element;
  top: number;
}

/**
 * Scroll anchoring: stays at the end while the user is there, else keeps the visible entries where they are when others are
 * added above them or get their real size.
 */
export function useThreadScroll(options: ThreadScrollOptions) {
  const { entries, target, request } = options;
  /** The element that scrolls. */
  const view = useRef<HTMLDivElement>(null);
  /** Its child; its children are the entries. */
  const content = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(target === null);
  const position = useRef<{ atEnd: boolean; anchors: Anchor[] }>({ atEnd: true, anchors: [] });
  /** The message in the middle, and whether the user has not scrolled since. */
  const centred = useRef<{ seq: number | null; request: number | string | undefined; isKept: boolean }>({
    seq: null,
    request: undefined,
    isKept: false,
  });
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  const remember = useCallback(() => {
    const scroller = view.current;
    if (!scroller || !content.current) return;
    const rest = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    const { isNewest, onNearStart, onNearEnd } = latest.current;
    const isAtEnd = isNewest && rest <= NEAR_END_PX;
    position.current = { atEnd: isAtEnd, anchors: anchorsIn(scroller, content.current) };
    setAtEnd(isAtEnd);
    if (scroller.scrollTop < NEAR_START_PX) onNearStart();
    if (!isNewest && rest < NEAR_START_PX) onNearEnd();
  }, []);

  const restore = useCallback(() => {
    const scroller = view.current;
    if (!scroller) return;
    const message = centred.current.isKept && content.current?.querySelector('[aria-current]');
    if (message) scroller.scrollTop += topIn(scroller, message) - (scroller.clientHeight - message.clientHeight) / 2;
    else if (position.current.atEnd) scroller.scrollTop = scroller.scrollHeight;
    else {
      const held = position.current.anchors.find(({ entry }) => entry.isConnected);
      if (held) scroller.scrollTop += topIn(scroller, held.entry) - held.top;
    }
    remember();
  }, [remember]);

  const toEnd = useCallback(() => {
    centred.current.isKept = false;
    position.current.atEnd = true;
    restore();
  }, [restore]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `entries` is the change to react to
  useLayoutEffect(() => {
    if (centred.current.seq !== target || (request !== undefined && centred.current.request !== request)) {
      // Without a target, the newest message is wanted.
      if (target === null) position.current.atEnd = true;
      centred.current = { seq: target, request, isKept: target !== null };
    }
    restore();
  }, [restore, entries, target, request]);

  // The sizes change with the window, the composer, pictures that load, and entries that are rendered late.
  useEffect(() => {
    const [scroller, inner] = [view.current, content.current];
    if (!scroller || !inner) return;
    const observer = new ResizeObserver(restore);
    observer.observe(scroller);
    observer.observe(inner);
    const onUserScroll = () => {
      centred.current.isKept = false;
    };
    scroller.addEventListener('scroll', remember, { passive: true });
    for (const event of SCROLLED_BY) scroller.addEventListener(event, onUserScroll, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener('scroll', remember);
      for (const event of SCROLLED_BY) scroller.removeEventListener(event, onUserScroll);
    };
  }, [restore, remember]);

  return { view, content, atEnd, toEnd };
}

/** The first visible entries, by binary search, since there may be thousands; lines are left out, since they may move. */
function anchorsIn(scroller: Element, content: Element): Anchor[] {
  const { children } = content;
  let [low, high] = [0, children.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const entry = children[middle];
    if (entry && topIn(scroller, entry) + entry.clientHeight <= 0) low = middle + 1;
    else high = middle;
  }
  const shown = Array.from({ length: 2 * ANCHORS }, (_, index) => children[low + index]);
  return shown
    .flatMap((entry) => (entry && !entry.hasAttribute('data-line') ? [{ entry, top: topIn(scroller, entry) }] : []))
    .slice(0, ANCHORS);
}

function topIn(scroller: Element, entry: Element): number {
  return entry.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
}
