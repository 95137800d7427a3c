import { type FocusEvent, type PointerEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

const SHOW_AFTER_MS = 350;
/** Long enough for the pointer to reach the tooltip itself. */
const HIDE_AFTER_MS = 120;
const GAP = 6;
const EDGE = 8;

type Side = 'bottom' | 'left';

interface TooltipProps {
  /** What `children` already says to screen readers, in words that are seen. */
  text: string;
  side?: Side;
  children: ReactElement;
}

/** Shows the name of `children` (one element) to who points at it or comes to it by keyboard. */
export function Tooltip({ text, side = 'bottom', children }: TooltipProps) {
  const [target, setTarget] = useState<Element | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (next: Element | null, delayMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setTarget(next && isOpen(next) ? null : next), delayMs);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setTarget(null);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!target) return;
    const press = (event: KeyboardEvent) => event.key === 'Escape' && setTarget(null);
    const scroll = () => setTarget(null);
    window.addEventListener('keydown', press);
    window.addEventListener('scroll', scroll, true);
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('scroll', scroll, true);
    };
  }, [target]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens to what happens to its child
    <span
      className="contents"
      onPointerEnter={(event: PointerEvent) => {
        if (event.pointerType === 'mouse') later(event.currentTarget.firstElementChild, SHOW_AFTER_MS);
      }}
      onPointerLeave={() => later(null, HIDE_AFTER_MS)}
      onPointerDown={hide}
      onFocus={(event: FocusEvent) => {
        if (event.target.matches(':focus-visible')) setTarget(event.currentTarget.firstElementChild);
      }}
      onBlur={hide}
    >
      {children}
      {target && createPortal(<Words text={text} side={side} target={target} />, document.body)}
    </span>
  );
}

/** A button whose menu is open shows no tooltip. */
function isOpen(target: Element): boolean {
  return target.matches('[aria-haspopup][aria-expanded="true"]');
}

function Words({ text, side, target }: { text: string; side: Side; target: Element }) {
  const place = (box: HTMLElement | null) => {
    if (!box) return;
    const { x, y } = spotFor(side, target.getBoundingClientRect(), box.getBoundingClientRect());
    box.style.left = `${x}px`;
    box.style.top = `${y}px`;
  };
  return (
    <span
      ref={place}
      aria-hidden
      className="fixed z-50 max-w-64 animate-fade rounded-small bg-text px-2 py-1 text-xs text-background"
    >
      {text}
    </span>
  );
}

/** Beside the target, on the other side where there is no room, and never over the window's edge. */
function spotFor(side: Side, target: DOMRect, box: DOMRect): { x: number; y: number } {
  const between = (value: number, max: number) => Math.max(EDGE, Math.min(value, max - EDGE));
  const middle = {
    x: between(target.x + (target.width - box.width) / 2, innerWidth - box.width),
    y: between(target.y + (target.height - box.height) / 2, innerHeight - box.height),
  };
  if (side === 'left') {
    const before = target.left - GAP - box.width;
    return { x: before < EDGE ? target.right + GAP : before, y: middle.y };
  }
  const below = target.bottom + GAP;
  return { x: middle.x, y: below + box.height > innerHeight - EDGE ? target.top - GAP - box.height : below };
}
