import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { BULK_MAX, type Chat } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { plural, t } from '../../lib/i18n.ts';
import { keymapOf, useShortcuts } from '../../lib/keyboard.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { lazyDialog } from '../../ui/lazyPart.tsx';
import { type NamedChange, useBulkChange } from './bulk.ts';
import {
  chosenOf,
  mayAnswer,
  type Picking,
  SELECTION_SHORTCUTS,
  selectableOf,
  selectionOf,
  toggled,
} from './selected.ts';

const AssignChats = lazyDialog(async () => (await import('./BulkDialogs.tsx')).AssignChats);
const CloseChats = lazyDialog(async () => (await import('./BulkDialogs.tsx')).CloseChats);
const TagChats = lazyDialog(async () => (await import('./BulkDialogs.tsx')).TagChats);

interface SelectionBarProps extends Picking {
  /** Whether it takes the place of the line above the history, instead of covering the filters of the inbox. */
  inTable?: boolean;
  /** The list with the rows that the keys are for; left out: there are no keys but Escape. */
  listRef?: RefObject<HTMLElement | null>;
}

const OVER_LIST = 'absolute inset-0 z-10 flex flex-col gap-2 border-b bg-surface px-3 pt-3 md:pt-4';
const OVER_TABLE =
  'sticky top-0 z-20 flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 rounded-t-card border-b bg-surface px-4 py-2';

type Asking = 'close' | 'tag' | 'transfer' | null;

/** What can be done with the selected chats; there only while there are some. */
export function SelectionBar(props: SelectionBarProps) {
  const { selected, onSelect, listRef } = props;
  const { user } = useAuth();
  const [asking, ask] = useState<Asking>(null);
  const chosen = chosenOf(props);
  const open = chosen.filter(({ status }) => status !== 'closed');
  const { run, isPending } = useBulkChange((refused) => onSelect(selectionOf(refused)));
  useEffect(() => {
    // Chats that have left the list are no longer seen to be selected.
    if (!selected && asking) ask(null);
    if (selected && chosen.length < selected.ids.size)
      onSelect(
        selectionOf(
          chosen.map(({ _id }) => _id),
          selected.last,
        ),
      );
  });

  const clear = () => onSelect(undefined);
  const change = (made: NamedChange, chats: readonly Chat[]) => {
    ask(null);
    run(made, chats);
  };
  const close = () => (open.length > 1 ? ask('close') : change({ action: 'close' }, open));
  const toggleFocused = () => {
    const id = listRef?.current?.querySelector('[data-row]:focus-within')?.getAttribute('data-row');
    const chat = props.chats?.find(({ _id }) => _id === id);
    if (chat && mayAnswer(chat, props.sites)) onSelect(toggled(props, chat._id, false));
  };
  const hasAny = chosen.length > 0 && !isPending;
  const hasOpen = open.length > 0 && !isPending;
  // Before the keys of the list and of the open chat, some of which are the same.
  useShortcuts(
    keymapOf(SELECTION_SHORTCUTS, {
      ...(listRef && { select: toggleFocused }),
      ...(listRef && hasAny && { tag: () => ask('tag') }),
      ...(listRef && hasOpen && { close, transfer: () => ask('transfer') }),
      ...(selected && { clear }),
    }),
    true,
  );

  const dialog = (of: Exclude<Asking, null>) => ({
    open: asking === of && chosen.length > 0,
    onOpenChange: (isOpen: boolean) => ask(isOpen ? of : null),
    chosen,
    onChange: change,
  });
  return (
    <>
      <p role="status" className="sr-only">
        {chosen.length > 0 && plural(chosen.length, '{count} selected', '{count} selected')}
      </p>
      {chosen.length > 0 && (
        <Bar {...props} count={chosen.length} onClear={clear}>
          {open.length > 0 && (
            <Button variant="secondary" size="sm" busy={isPending} onClick={close}>
              {t('Close|chat')}
            </Button>
          )}
          <Button variant="secondary" size="sm" busy={isPending} onClick={() => ask('tag')}>
            {t('Tag')}
          </Button>
          {open.length > 0 && (
            <Button variant="secondary" size="sm" busy={isPending} onClick={() => ask('transfer')}>
              {t('Assign')}
            </Button>
          )}
        </Bar>
      )}
      <CloseChats {...dialog('close')} />
      <TagChats {...dialog('tag')} />
      {user && <AssignChats {...dialog('transfer')} userId={user._id} />}
    </>
  );
}

interface BarProps extends SelectionBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

function Bar({ inTable = false, listRef, count, onClear, children, ...picking }: BarProps) {
  const bar = useRef<HTMLElement>(null);
  const { selected } = picking;
  const last = useRef<string | null>(null);
  last.current = selected?.last ?? last.current;
  useLayoutEffect(() => {
    const box = bar.current;
    // Whoever used the bar goes on in the list.
    return () => {
      if (box?.contains(document.activeElement)) focusBox(last.current, listRef?.current);
    };
  }, [listRef]);
  const all = selectableOf(picking);
  return (
    <section ref={bar} aria-label={t('Selected chats')} className={inTable ? OVER_TABLE : OVER_LIST}>
      <div className={cx('flex items-center gap-1', !inTable && '-my-1', '-ms-2')}>
        <IconButton label={t('Select nothing')} onClick={onClear}>
          <X size={18} aria-hidden />
        </IconButton>
        <span className="font-semibold whitespace-nowrap tabular-nums">
          {plural(count, '{count} selected', '{count} selected')}
        </span>
      </div>
      <div className={cx('flex gap-2', inTable ? 'order-last sm:order-none' : '*:flex-1')}>{children}</div>
      {count < all.length ? (
        <button
          type="button"
          onClick={() => {
            // This button goes away.
            bar.current?.querySelector('button')?.focus();
            picking.onSelect(selectionOf(all.map(({ _id }) => _id)));
          }}
          className={cx(
            'rounded-control py-1.5 font-medium whitespace-nowrap text-accent hover:text-accent-strong hover:underline',
            inTable ? 'ms-auto px-2' : 'self-start px-1',
          )}
        >
          {plural(all.length, 'Select all {count} loaded', 'Select all {count} loaded')}
        </button>
      ) : (
        count === BULK_MAX && <span className="px-1 py-1.5 text-muted">{t('These are the most at once.')}</span>
      )}
    </section>
  );
}

/** Moves the focus to the box of a chat, else to the list, else to the first box. */
function focusBox(id: string | null, list: HTMLElement | null | undefined): void {
  const box = document.querySelector<HTMLElement>(`[data-select="${id ?? ''}"]`);
  (box ?? list ?? document.querySelector<HTMLElement>('[data-select]'))?.focus();
}
