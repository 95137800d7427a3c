import { useEffect, useRef } from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { visitorName } from '../../shared/visitorName.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { chosenOf, mayAnswer, type Picking, selectableOf, selectionOf, toggled } from './selected.ts';

/** What can be done with the selected chats. */
export const SelectionBar = lazyPart(async () => (await import('./SelectionBar.tsx')).SelectionBar, { place: 'line' });

const BOX = 'size-4 shrink-0 cursor-pointer accent-accent';
/** In a list, where there is a pointer that hovers, boxes show when they are needed; in a table, their column would be empty. */
const HIDDEN = 'opacity-0 in-[:is(li,tr):hover]:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100';
/** Below the picture. */
const IN_LIST = 'absolute bottom-0.5 start-4 h-7 w-10';
const IN_TABLE = '-my-2 -ms-2 h-10 w-8 shrink-0';

interface SelectBoxProps extends Picking {
  chat: Chat;
  /** Whether it stands in a cell of the history, instead of a row of the inbox. */
  inTable?: boolean;
}

/** Selects a chat; with Shift, all from the one before to this one. */
export function SelectBox({ chat, inTable = false, ...picking }: SelectBoxProps) {
  const { selected, onSelect } = picking;
  if (!mayAnswer(chat, picking.sites)) return null;
  return (
    <label
      className={cx(
        'flex cursor-pointer items-center justify-center transition-opacity select-none',
        inTable ? IN_TABLE : IN_LIST,
        !inTable && !selected && HIDDEN,
      )}
    >
      <input
        type="checkbox"
        data-select={chat._id}
        aria-label={t('Select the chat of {name}', { name: visitorName(chat.visitorInfo.name) })}
        checked={selected?.ids.has(chat._id) ?? false}
        onChange={({ nativeEvent }) =>
          onSelect(toggled(picking, chat._id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey))
        }
        className={BOX}
      />
    </label>
  );
}

/** Selects all loaded chats, or none. */
export function SelectAllBox(picking: Picking) {
  const box = useRef<HTMLInputElement>(null);
  const all = selectableOf(picking);
  const count = chosenOf(picking).length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && count < all.length;
  }, [count, all.length]);
  if (all.length === 0) return null;
  return (
    <label className={cx('flex items-center justify-center', IN_TABLE)}>
      <input
        ref={box}
        type="checkbox"
        aria-label={t('Select all loaded chats')}
        checked={count > 0 && count === all.length}
        onChange={() => picking.onSelect(count === all.length ? undefined : selectionOf(all.map(({ _id }) => _id)))}
        className={BOX}
      />
    </label>
  );
}
