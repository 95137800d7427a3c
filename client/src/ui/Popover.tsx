import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode, RefObject } from 'react';

interface PopoverProps {
  trigger: ReactElement;
  /** Its name, for screen readers. */
  label: string;
  children: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Gets the focus when it closes, instead of its button. */
  returnTo?: RefObject<HTMLElement | null>;
}

/** A popover below a button. */
export function Popover({ trigger, label, children, open, onOpenChange, returnTo }: PopoverProps) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            if (!returnTo?.current) return;
            event.preventDefault();
            returnTo.current.focus();
          }}
          className="z-50 flex max-h-[min(28rem,var(--radix-popover-content-available-height))] w-[min(22rem,calc(100vw-1rem))] animate-enter flex-col overflow-hidden rounded-card border bg-raised shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
