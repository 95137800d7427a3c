import { Switch as Radix } from 'radix-ui';

interface SwitchProps {
  /** Its name for screen readers; show the words beside it where they help. */
  label: string;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  disabled?: boolean;
}

/** On or off, at once. */
export function Switch({ label, ...props }: SwitchProps) {
  return (
    <Radix.Root
      {...props}
      aria-label={label}
      className="relative inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-edge transition-colors before:absolute before:-inset-2 disabled:opacity-50 data-[state=checked]:bg-success"
    >
      <Radix.Thumb className="size-4 translate-x-0.5 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-4.5" />
    </Radix.Root>
  );
}
