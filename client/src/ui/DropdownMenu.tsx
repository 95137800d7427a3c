import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { cx } from '../lib/cx.ts';
import { direction } from '../lib/i18n.ts';

interface DropdownMenuProps {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  /** Its name where the trigger's does not do. */
  label?: string;
  /** Gets the focus when it closes, instead of its button. */
  returnTo?: RefObject<HTMLElement | null>;
}

/** A list of things to do, behind a button. It stays inside the landmark of its button, and hides nothing from screen readers. */
export function DropdownMenu({ trigger, children, align = 'end', label, returnTo }: DropdownMenuProps) {
  return (
    <Radix.Root dir={direction()} modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        align={align}
        sideOffset={4}
        collisionPadding={8}
        onCloseAutoFocus={(event) => {
          if (!returnTo?.current) return;
          event.preventDefault();
          returnTo.current.focus();
        }}
        {...(label && { 'aria-label': label })}
        className="z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-80 min-w-48 animate-enter overflow-y-auto rounded-card border bg-raised p-1 shadow-float"
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect: () => void;
  tone?: 'neutral' | 'danger';
}

/** One thing to do, in a `DropdownMenu`. */
export function MenuItem({ icon, children, onSelect, tone = 'neutral' }: MenuItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      className={cx(
        'flex cursor-default items-center gap-2.5 rounded-control px-2.5 py-2 outline-none',
        tone === 'danger' ? 'text-danger data-highlighted:bg-danger-soft' : 'data-highlighted:bg-text/5',
      )}
    >
      {icon && <span className={cx('shrink-0', tone === 'neutral' && 'text-muted')}>{icon}</span>}
      <span className="min-w-0 flex-1">{children}</span>
    </Radix.Item>
  );
}
