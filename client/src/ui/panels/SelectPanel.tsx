import { Check } from 'lucide-react';
import { Select as Radix } from 'radix-ui';
import { cx } from '../../lib/cx.ts';
import { direction, t } from '../../lib/i18n.ts';
import { useControl } from '../Field.tsx';
import { SELECT_LOOK, SelectFace, type SelectProps } from './SelectFace.tsx';

interface SelectPanelProps<Value extends string> extends SelectProps<Value> {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A select that has been opened. */
export function SelectPanel<Value extends string>(props: SelectPanelProps<Value>) {
  const { value, onValueChange, options, label, disabled = false, className, open, onOpenChange } = props;
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
      onOpenChange={onOpenChange}
    >
      <Radix.Trigger {...useControl()} {...(label && { 'aria-label': label })} className={cx(SELECT_LOOK, className)}>
        <SelectFace {...props} />
      </Radix.Trigger>
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
    </Radix.Root>
  );
}
