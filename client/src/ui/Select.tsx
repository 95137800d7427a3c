import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { cx } from '../lib/cx.ts';
import { useControl } from './Field.tsx';

export interface SelectOption<Value extends string> {
  value: Value;
  label: string;
  /** A second, quieter line. */
  hint?: string;
}

interface SelectProps<Value extends string> {
  value: Value;
  onValueChange: (value: Value) => void;
  options: readonly SelectOption<Value>[];
  /** Its name where no `Field` gives one. */
  label?: string;
  placeholder?: string;
  disabled?: boolean;
  className?: string;
}

/** One of a few. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { value, onValueChange, options, label, placeholder, disabled = false, className } = props;
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string) => {
    const option = options.find((each) => each.value === next);
    if (option) onValueChange(option.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} disabled={disabled}>
      <Radix.Trigger
        {...useControl()}
        {...(label && { 'aria-label': label })}
        className={cx(
          'flex h-10 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-surface px-3 text-left hover:border-muted disabled:opacity-55',
          className,
        )}
      >
        <span className={cx('truncate', !chosen && 'text-muted')}>
          <Radix.Value placeholder={placeholder}>{chosen?.label}</Radix.Value>
        </span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          position="popper"
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width) animate-enter overflow-hidden rounded-card border bg-raised shadow-float"
        >
          <Radix.Viewport className="p-1" nonce={window.__nonce__}>
            {options.map((option) => (
              <Radix.Item
                key={option.value}
                value={option.value}
                className="flex cursor-default items-start gap-2 rounded-control py-2 pr-3 pl-2 outline-none data-highlighted:bg-text/5"
              >
                <span className="flex w-4 shrink-0 pt-0.5">
                  <Radix.ItemIndicator>
                    <Check size={16} aria-hidden className="text-accent" />
                  </Radix.ItemIndicator>
                </span>
                <span className="min-w-0">
                  <Radix.ItemText>{option.label}</Radix.ItemText>
                  {option.hint && <span className="block text-xs text-muted">{option.hint}</span>}
                </span>
              </Radix.Item>
            ))}
          </Radix.Viewport>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
