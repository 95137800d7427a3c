import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** This near to the end, new messages pull the thread along. */
const NEAR_END_PX = 64;
/** This near to the start, older messages are fetched. */
const NEAR_START_PX = 600;

interface ThreadScroll {
  view: RefObject<HTMLDivElement | null>;
  atEnd: boolean;
  toEnd: () => void;
}

/**
 * Keeps a thread's place: at the end while one is there, and on the same message when older ones are put above it.
 * @param firstKey names the topmost entry; when it changes, something was put above
 * @param newest changes with every message at the end
 * @param onNearStart asked for older messages; must bear being asked again
 */
export function useThreadScroll(
  firstKey: number | undefined,
  newest: string | undefined,
  onNearStart: () => void,
): ThreadScroll {
  const view = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const place = useRef({ firstKey, height: 0, atEnd: true });
  const nearStart = useRef(onNearStart);
  useEffect(() => {
    nearStart.current = onNearStart;
  });

  const look = useCallback(() => {
    const box = view.current;
    if (!box) return;
    const isAtEnd = box.scrollHeight - box.scrollTop - box.clientHeight <= NEAR_END_PX;
    place.current.atEnd = isAtEnd;
    setAtEnd(isAtEnd);
    if (box.scrollTop < NEAR_START_PX) nearStart.current();
  }, []);

  const toEnd = useCallback(() => {
    const box = view.current;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    look();
  }, [look]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` is what there is to react to
  useLayoutEffect(() => {
    const box = view.current;
    if (!box) return;
    const { height, atEnd: wasAtEnd } = place.current;
    if (wasAtEnd) box.scrollTop = box.scrollHeight;
    else if (place.current.firstKey !== firstKey) box.scrollTop += box.scrollHeight - height;
    place.current = { firstKey, height: box.scrollHeight, atEnd: wasAtEnd };
    look();
  }, [firstKey, newest, look]);

  // A window that changes its size, or a composer that grows, must not hide the newest message.
  useEffect(() => {
    const box = view.current;
    if (!box) return;
    const observer = new ResizeObserver(() => {
      if (place.current.atEnd) box.scrollTop = box.scrollHeight;
      place.current.height = box.scrollHeight;
    });
    observer.observe(box);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      box.removeEventListener('scroll', look);
    };
  }, [look]);

  return { view, atEnd, toEnd };
}
