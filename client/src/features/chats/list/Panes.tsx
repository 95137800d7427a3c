import type { ReactNode, RefObject } from 'react';
import { cx } from '../../../lib/cx.ts';

interface PanesProps {
  /** Where the focus moves by key. */
  listRef: RefObject<HTMLElement | null>;
  list: ReactNode;
  /** Whether a chat is open: a phone shows either that or the list. */
  open: boolean;
  children: ReactNode;
}

/** Chats beside the one that is open. */
export function Panes({ listRef, list, open, children }: PanesProps) {
  return (
    <>
      <section
        ref={listRef}
        aria-label="Chat list"
        className={cx('flex w-full shrink-0 flex-col bg-surface md:w-80 md:border-r lg:w-86', open && 'max-md:hidden')}
      >
        {list}
      </section>
      <div className={cx('flex min-w-0 flex-1', !open && 'max-md:hidden')}>{children}</div>
    </>
  );
}
