import { ArrowDown, ArrowUp, ChevronDown, MessageSquareText, Plus, Trash2 } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { GREETINGS_MAX, type Greeting, type GreetingFigures } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatCount } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { GreetingFields } from './GreetingFields.tsx';
import { moved, newGreeting, rulesText, wrongGreeting } from './greetingList.ts';

interface GreetingsProps {
  greetings: readonly Greeting[];
  onChange: (greetings: Greeting[]) => void;
  /** The figures of those that are saved; undefined: not loaded. */
  figures: readonly GreetingFigures[] | undefined;
  /** The id of the greeting that is edited; null: none. */
  editing: string | null;
  onEdit: (id: string | null) => void;
  error: string | undefined;
  disabled: boolean;
}

/** The greetings of a site in their order, each with its figures, and the fields of one of them. */
export function Greetings({ greetings, onChange, figures, editing, onEdit, error, disabled }: GreetingsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [spoken, setSpoken] = useState('');
  const wrong = error === undefined ? undefined : wrongGreeting(greetings);
  const open = wrong && !greetings.some(({ id }) => id === editing) ? wrong.id : editing;
  /** What gets the focus after a change of the list: a greeting, and which of its buttons. */
  const focusNext = useRef<{ id: string; button: 'up' | 'down' | 'edit' } | null>(null);

  useEffect(() => {
    const next = focusNext.current;
    focusNext.current = null;
    if (!next) return;
    const row = list.current?.querySelector(`[data-greeting="${next.id}"]`);
    const wanted = row?.querySelector<HTMLButtonElement>(`[data-button="${next.button}"]:not(:disabled)`);
    (wanted ?? row?.querySelector<HTMLButtonElement>('[data-button]:not(:disabled)'))?.focus();
  });

  function add(): void {
    const greeting = newGreeting();
    onChange([...greetings, greeting]);
    onEdit(greeting.id);
    focusNext.current = { id: greeting.id, button: 'edit' };
  }

  function move(id: string, step: -1 | 1): void {
    const next = moved(greetings, id, step);
    onChange(next);
    setSpoken(
      t('Moved to position {at} of {all}', {
        at: next.findIndex((each) => each.id === id) + 1,
        all: next.length,
      }),
    );
    focusNext.current = { id, button: step < 0 ? 'up' : 'down' };
  }

  function remove(id: string): void {
    const at = greetings.findIndex((each) => each.id === id);
    const neighbour = greetings[at + 1] ?? greetings[at - 1];
    onChange(greetings.filter((each) => each.id !== id));
    setSpoken(t('Greeting removed'));
    if (neighbour) focusNext.current = { id: neighbour.id, button: 'edit' };
  }

  return (
    <div className="relative flex min-w-0 flex-col gap-4">
      <p role="status" className="sr-only">
        {spoken}
      </p>
      {greetings.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card border border-dashed px-4 py-5 text-muted">
          <MessageSquareText size={18} aria-hidden className="shrink-0" />
          {t('No greetings yet.')}
        </p>
      ) : (
        <ol ref={list} aria-label={t('Greetings')} className="flex flex-col gap-3">
          {greetings.map((greeting, index) => (
            <Row
              key={greeting.id}
              greeting={greeting}
              place={index + 1}
              isLast={index === greetings.length - 1}
              figures={figures?.find(({ id }) => id === greeting.id)}
              isOpen={greeting.id === open}
              checked={wrong !== undefined}
              disabled={disabled}
              onToggle={() => onEdit(greeting.id === open ? null : greeting.id)}
              onChange={(next) => onChange(greetings.map((each) => (each.id === next.id ? next : each)))}
              onMove={(step) => move(greeting.id, step)}
              onRemove={() => remove(greeting.id)}
            />
          ))}
        </ol>
      )}
      {error && !wrong && (
        <p role="alert" className="text-xs font-medium text-danger">
          {error}
        </p>
      )}
      {!disabled && (
        <div className="flex flex-wrap items-center gap-3">
          <Button variant="secondary" onClick={add} disabled={greetings.length >= GREETINGS_MAX}>
            <Plus size={16} aria-hidden />
            {t('Add greeting')}
          </Button>
          {greetings.length >= GREETINGS_MAX && (
            <span className="text-muted">{t('A site can have {max}.', { max: GREETINGS_MAX })}</span>
          )}
        </div>
      )}
    </div>
  );
}

interface RowProps {
  greeting: Greeting;
  /** From 1. */
  place: number;
  isLast: boolean;
  figures: GreetingFigures | undefined;
  isOpen: boolean;
  checked: boolean;
  disabled: boolean;
  onToggle: () => void;
  onChange: (greeting: Greeting) => void;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
}

function Row(props: RowProps) {
  const { greeting, place, isLast, figures, isOpen, checked, disabled, onToggle, onChange, onMove, onRemove } = props;
  const fields = useId();
  return (
    <li data-greeting={greeting.id} className="min-w-0 rounded-card border bg-surface">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3 sm:flex-nowrap sm:p-4">
        <Switch
          label={t('Show greeting {place}', { place })}
          checked={greeting.enabled}
          onCheckedChange={(enabled) => onChange({ ...greeting, enabled })}
          disabled={disabled}
        />
        <button
          type="button"
          data-button="edit"
          aria-expanded={isOpen}
          aria-controls={fields}
          onClick={onToggle}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-small text-start"
        >
          <span className="min-w-0 flex-1">
            <span dir="auto" className={cx('block truncate font-medium', !greeting.enabled && 'text-muted')}>
              {greeting.text.trim() || t('New greeting {place}', { place })}
            </span>
            <span className="block text-xs text-muted">{rulesText(greeting)}</span>
            <span className="block pt-1 text-xs tabular-nums">{figuresText(figures)}</span>
          </span>
          <ChevronDown size={16} aria-hidden className={cx('shrink-0 text-muted', isOpen && 'rotate-180')} />
        </button>
        {!disabled && (
          <span className="flex shrink-0 max-sm:w-full max-sm:justify-end">
            <IconButton
              label={t('Move greeting {place} up', { place })}
              data-button="up"
              size="sm"
              isForTouch
              disabled={place === 1}
              onClick={() => onMove(-1)}
            >
              <ArrowUp size={16} aria-hidden />
            </IconButton>
            <IconButton
              label={t('Move greeting {place} down', { place })}
              data-button="down"
              size="sm"
              isForTouch
              disabled={isLast}
              onClick={() => onMove(1)}
            >
              <ArrowDown size={16} aria-hidden />
            </IconButton>
            <IconButton
              label={t('Remove greeting {place}', { place })}
              size="sm"
              isForTouch
              tone="danger"
              onClick={onRemove}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </span>
        )}
      </div>
      <div id={fields} hidden={!isOpen} className="border-t p-4">
        {isOpen && <GreetingFields greeting={greeting} onChange={onChange} checked={checked} disabled={disabled} />}
      </div>
    </li>
  );
}

/** Views and answers in words; one that was never saved has none. */
function figuresText(figures: GreetingFigures | undefined): string {
  if (!figures) return '';
  const { shown, answered } = figures;
  const share = shown > 0 ? ` (${Math.min(100, Math.round((answered / shown) * 100))} %)` : '';
  const text = t('Shown {times} · Answered {answers}', { times: formatCount(shown), answers: formatCount(answered) });
  return text + share;
}
