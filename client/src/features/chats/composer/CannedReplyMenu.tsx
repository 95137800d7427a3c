import { Paperclip, Pencil } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { CannedReply } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { truncate } from '../../../lib/format.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { useCannedReplies } from './cannedReplies.ts';

const PREVIEW_LENGTH = 120;
const SHOWN_MAX = 8;
const SLASH = /(?:^|\s)\/([\p{L}\p{M}\p{N}_-]*)$/u;

interface CannedReplyOptions {
  siteId: string;
  text: string;
  caret: number;
  /** Replaces the '/' and the word by the reply. */
  onChoose: (reply: CannedReply, from: number) => void;
  /** The menu was closed without a choice. */
  onLeave: () => void;
  onManage: () => void;
}

/** The state of the menu that a '/' opens. */
export interface CannedReplyState {
  state: 'closed' | 'loading' | 'failed' | 'open';
  options: readonly CannedReply[];
  /** The index of the option that Enter takes; the one after the last reply is 'Manage canned replies'. */
  active: number;
  choose: (index: number) => void;
  retry: () => void;
  /** @returns whether the key was for the menu */
  onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Opens while a '/' and the start of a word stand before the caret. */
export function useCannedReplyMenu({
  siteId,
  text,
  caret,
  onChoose,
  onLeave,
  onManage,
}: CannedReplyOptions): CannedReplyState {
  const slash = slashAt(text, caret);
  const { data, isError, refetch } = useCannedReplies(siteId, slash !== null);
  const [closedAt, setClosedAt] = useState<number | null>(null);
  const [highlight, setHighlight] = useState({ word: '', index: 0 });
  if (closedAt !== null && slash?.from !== closedAt) setClosedAt(null);

  const options = slash && data ? matching(data, slash.word) : [];
  const count = options.length + 1;
  // A path or a date with a '/' in it opens no menu.
  const hasNoMatch = data !== undefined && options.length === 0 && slash?.word !== '';
  const isOpen = slash !== null && closedAt !== slash.from && !hasNoMatch;
  const active = highlight.word === slash?.word ? Math.min(highlight.index, count - 1) : 0;

  const choose = (index: number) => {
    if (!slash) return;
    const reply = options[index];
    if (reply) {
      onChoose(reply, slash.from);
      return;
    }
    setClosedAt(slash.from);
    onLeave();
    onManage();
  };
  const move = (step: number) => setHighlight({ word: slash?.word ?? '', index: (active + step + count) % count });

  const handleKey = (key: string): boolean => {
    switch (key) {
      case 'ArrowDown':
        move(1);
        return true;
      case 'ArrowUp':
        move(-1);
        return true;
      case 'Escape':
        setClosedAt(slash?.from ?? null);
        onLeave();
        return true;
      case 'Enter':
      case 'Tab':
        if (isError && !data) return false;
        // While the replies are loading, Enter must not send the '/' to the visitor.
        if (data) choose(active);
        return true;
      default:
        return false;
    }
  };
  return {
    state: !isOpen ? 'closed' : isError ? 'failed' : data ? 'open' : 'loading',
    options,
    active,
    choose,
    retry: () => void refetch(),
    onKeyDown: (event) => {
      if (!isOpen || event.shiftKey || !handleKey(event.key)) return false;
      event.preventDefault();
      return true;
    },
  };
}

interface CannedReplyMenuProps {
  id: string;
  canned: CannedReplyState;
}

/** The menu above the field. A listbox whose focus stays in the field, as `aria-activedescendant` wants it. */
export function CannedReplyMenu({ id, canned }: CannedReplyMenuProps) {
  const { state, options, active, choose, retry } = canned;
  if (state === 'closed') return null;
  return (
    <div className="absolute inset-x-3 bottom-full z-10 mb-1 max-h-72 animate-enter overflow-y-auto rounded-card border bg-raised p-1 shadow-float sm:inset-x-4">
      {state === 'loading' && <p className="px-3 py-2 text-muted">Loading canned replies…</p>}
      {state === 'failed' && (
        <p role="alert" className="flex items-center justify-between gap-2 px-3 py-1 text-danger">
          The canned replies could not be loaded.
          <Button variant="secondary" size="sm" onClick={retry}>
            Try again
          </Button>
        </p>
      )}
      {state === 'open' && (
        <div id={id} role="listbox" aria-label="Canned replies">
          {options.map(({ _id, shortcut, content, personal, files }, index) => (
            <Option key={_id} id={`${id}-${index}`} isActive={index === active} onChoose={() => choose(index)}>
              <span className="shrink-0 font-medium">/{shortcut}</span>
              <span dir="auto" className="min-w-0 flex-1 truncate text-muted">
                {truncate(content, PREVIEW_LENGTH)}
              </span>
              {files.length > 0 && (
                <Paperclip size={14} role="img" aria-label="With files" className="mt-0.75 shrink-0" />
              )}
              {personal && <Badge>Only you</Badge>}
            </Option>
          ))}
          <Option
            id={`${id}-${options.length}`}
            isActive={active === options.length}
            onChoose={() => choose(options.length)}
          >
            <Pencil size={14} aria-hidden className="mt-0.75 shrink-0" />
            <span>Manage canned replies</span>
          </Option>
        </div>
      )}
    </div>
  );
}

interface OptionProps {
  id: string;
  isActive: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Option({ id, isActive, onChoose, children }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and handles the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // A press must not take the focus from the field.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      ref={(option) => {
        if (isActive) option?.scrollIntoView({ block: 'nearest' });
      }}
      className={cx('flex cursor-pointer items-start gap-2.5 rounded-control px-3 py-2', isActive && 'bg-accent-soft')}
    >
      {children}
    </div>
  );
}

/** A '/' at the start of the text or after a blank, and the word that follows it up to the caret. */
interface Slash {
  /** The index of the '/'. */
  from: number;
  word: string;
}

function slashAt(text: string, caret: number): Slash | null {
  const word = SLASH.exec(text.slice(0, caret))?.[1];
  return word === undefined ? null : { from: caret - word.length - 1, word };
}

/** The replies for a word: first those whose shortcut begins with it, then those that contain it. */
function matching(replies: readonly CannedReply[], word: string): CannedReply[] {
  const wanted = word.normalize('NFC').toLowerCase();
  const prefixed = replies.filter(({ shortcut }) => shortcut.startsWith(wanted));
  const containing = replies.filter(
    ({ shortcut, content }) =>
      !shortcut.startsWith(wanted) && (shortcut.includes(wanted) || content.toLowerCase().includes(wanted)),
  );
  return [...prefixed, ...containing].slice(0, SHOWN_MAX);
}
