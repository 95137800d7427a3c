import { cx } from '../lib/cx.ts';

interface SwitchProps {
  /** Its name for screen readers; show the words beside it where they help. */
  label: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
  /** The id of a text that says more about it. */
  describedBy?: string;
  /** Its colour while it is on. */
  tone?: 'success' | 'waiting';
}

/** On or off, at once. */
export function Switch({
  label,
  checked,
  onCheckedChange,
  disabled = false,
  describedBy,
  tone = 'success',
}: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      aria-describedby={describedBy}
      disabled={disabled}
      onClick={() => onCheckedChange(!checked)}
      className={cx(
        'relative inline-flex h-5 w-9 shrink-0 items-center rounded-full transition-colors before:absolute before:-inset-2 disabled:opacity-50',
        checked ? { success: 'bg-success', waiting: 'bg-waiting' }[tone] : 'bg-edge',
      )}
    >
      <span
        className={cx(
          'size-4 rounded-full bg-surface transition-transform',
          checked ? 'translate-x-4.5 rtl:-translate-x-4.5' : 'translate-x-0.5 rtl:-translate-x-0.5',
        )}
      />
    </button>
  );
}
