import { ChevronDown } from 'lucide-react';
import { cx } from '../../lib/cx.ts';

interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  /** A second, quieter line. */
  hint?: string;
}

export interface SelectProps<Value extends string> {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Its name where no `Field` gives one. */
  label?: string;
  placeholder?: string;
  disabled?: boolean;
  className?: string;
}

export const SELECT_LOOK =
  'flex h-10 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-surface px-3 text-start hover:border-muted disabled:opacity-55';

/** What a closed select shows: the choice, or what to choose. */
export function SelectFace<Value extends string>({ value, options, placeholder }: SelectProps<Value>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <span className={cx('truncate', !chosen && 'text-muted')}>{chosen?.label ?? placeholder}</span>
      <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
    </>
  );
}
