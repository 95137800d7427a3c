import { Check, ChevronDown } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { useState } from 'react';
import { cx } from '../lib/cx.ts';
import { direction, t } from '../lib/i18n.ts';
import { useControl } from './Field.tsx';

interface SelectOption<Value extends string> {
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
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  const choose = (next: string) => {
    const option = options.find((each) => each.value === next);
    if (option) onValueChange(option.value);
  };
  return (
    <Radix.Root
      dir={direction()}
      value={value}
      onValueChange={choose}
      disabled={disabled}
      open={open}
      onOpenChange={setOpen}
    >
      <Radix.Trigger
        {...useControl()}
        {...(label && { 'aria-label': label })}
        className={cx(
          'flex h-10 w-full min-w-0 items-center justify-between gap-2 rounded-control border border-edge bg-surface px-3 text-start hover:border-muted disabled:opacity-55',
          className,
        )}
      >
        <span className={cx('truncate', !chosen && 'text-muted')}>{chosen?.label ?? placeholder}</span>
        <ChevronDown size={16} aria-hidden className="shrink-0 text-muted" />
      </Radix.Trigger>
      {open && (
        <Radix.Portal>
          {/* A landmark, so that screen reader users who jump between landmarks find it. */}
          <section aria-label={label ?? t('Choices')}>
            <Radix.Content
              position="popper"
              sideOffset={4}
              collisionPadding={8}
              className="z-50 max-h-(--radix-select-content-available-height) max-w-(--radix-select-content-available-width) min-w-(--radix-select-trigger-width) animate-enter overflow-hidden rounded-card border bg-raised shadow-float"
            >
              <Radix.Viewport className="p-1" nonce={window.__nonce__}>
                {options.map((option) => (
                  <Radix.Item
                    key={option.value}
                    value={option.value}
                    className="flex cursor-default items-start gap-2 rounded-control py-2 pe-3 ps-2 outline-none data-highlighted:bg-text/5"
                  >
                    <span className="flex w-4 shrink-0 pt-0.5">
                      <Radix.ItemIndicator>
                        <Check size={16} aria-hidden className="text-accent" />
                      </Radix.ItemIndicator>
                    </span>
                    <span className="min-w-0 max-w-lg">
                      <Radix.ItemText>
                        {option.label}
                        {option.hint && <span className="line-clamp-2 text-xs text-muted">{option.hint}</span>}
                      </Radix.ItemText>
                    </span>
                  </Radix.Item>
                ))}
              </Radix.Viewport>
            </Radix.Content>
          </section>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}
