import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { inboxKeymap } from '#features/chats';
import { useShortcuts } from '../../../lib/keyboard.ts';

const NONE: readonly Chat[] = [];

/** The chat that was focused or opened last, and the list as it was when it still had its row there. */
interface Place {
  id: string | null;
  among: readonly Chat[];
}

/**
 * The keys that move the focus from row to row. They go on from the chat that was focused or opened last. When that is closed or
 * leaves the list, they go on from where it was, and a focus that would be lost with its row moves to the list.
 * @returns the focus handlers of the element around the rows
 */
export function useListPlace(
  list: RefObject<HTMLElement | null>,
  chats: readonly Chat[] = NONE,
  openId: string | null = null,
) {
  const place = useRef<Place>({ id: openId, among: chats });
  const hasFocus = useRef(false);
  const lastOpen = useRef(openId);

  const drawnRows = () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    return new Map(rows.map((row) => [row.dataset.row ?? '', row.querySelector('a')]));
  };
  const move = (step: 1 | -1) => {
    const { id, among } = place.current;
    const rows = drawnRows();
    const at = among.findIndex(({ _id }) => _id === id);
    const sides = [among.slice(at + 1), among.slice(0, Math.max(at, 0)).reverse()];
    const [ahead, behind] = (step > 0 ? sides : sides.reverse()).map((side) => side.find(({ _id }) => rows.has(_id)));
    if (ahead || (among === chats && rows.has(id ?? ''))) rows.get(ahead?._id ?? '')?.focus();
    // The chat has left, and perhaps all rows around it: then the keys start with the first row, or with the last.
    else (rows.get(behind?._id ?? '') ?? [...rows.values()].at(step > 0 ? 0 : -1))?.focus();
  };
  const focusPlace = (otherwise: () => void) => {
    const { id, among } = place.current;
    const row = among === chats ? drawnRows().get(id ?? '') : null;
    if (row) row.focus();
    else otherwise();
  };
  useShortcuts(inboxKeymap({ next: () => move(1), previous: () => move(-1), leave: () => focusPlace(() => move(1)) }));

  useLayoutEffect(() => {
    const { id, among } = place.current;
    const [before, now] = [among, chats].map((rows) => rows.find(({ _id }) => _id === id));
    const wasClosed = now?.status === 'closed' && before !== undefined && before.status !== 'closed';
    if (id === null || (now && !wasClosed)) place.current = { id, among: chats };
  }, [chats]);
  useLayoutEffect(() => {
    const wasLeft = openId === null && lastOpen.current !== null;
    if (openId !== null && openId !== lastOpen.current && openId !== place.current.id)
      place.current = { id: openId, among: chats };
    lastOpen.current = openId;
    // What had the focus went away with this render.
    if ((wasLeft || hasFocus.current) && document.activeElement === document.body)
      focusPlace(() => list.current?.focus({ preventScroll: true }));
  });

  return {
    onFocus: ({ target }: FocusEvent) => {
      hasFocus.current = true;
      const id = target.closest<HTMLElement>('[data-row]')?.dataset.row ?? null;
      if (id !== null && id !== place.current.id) place.current = { id, among: chats };
    },
    onBlur: () => {
      // A window in the background keeps the element that has the focus.
      hasFocus.current = document.activeElement !== document.body;
    },
  };
}
