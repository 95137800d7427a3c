import { Pencil } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '../../../lib/cx.ts';
import { truncate } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Canned } from './canned.ts';

const PREVIEW_LENGTH = 120;

interface CannedListProps {
  id: string;
  canned: Canned;
  mayEdit: boolean;
}

/** The canned replies that may be meant, above the field; the focus stays in the field. */
export function CannedList({ id, canned, mayEdit }: CannedListProps) {
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
      {state === 'open' && options.length === 0 && !mayEdit && (
        <p className="px-3 py-2 text-muted">No canned replies yet. An admin of this website can write some.</p>
      )}
      {state === 'open' && (options.length > 0 || mayEdit) && (
        <div id={id} role="listbox" aria-label="Canned replies">
          {options.map(({ _id, shortcut, content }, index) => (
            <Option key={_id} id={`${id}-${index}`} isActive={index === active} onChoose={() => choose(index)}>
              <span className="shrink-0 font-medium">/{shortcut}</span>
              <span dir="auto" className="min-w-0 truncate text-muted">
                {truncate(content, PREVIEW_LENGTH)}
              </span>
            </Option>
          ))}
          {mayEdit && (
            <Option
              id={`${id}-${options.length}`}
              isActive={active === options.length}
              onChoose={() => choose(options.length)}
            >
              <Pencil size={14} aria-hidden className="mt-0.75 shrink-0" />
              <span>Manage canned replies</span>
            </Option>
          )}
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, where the focus is
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
