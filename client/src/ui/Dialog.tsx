import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useFocusReturn } from './focus.ts';
import { IconButton } from './IconButton.tsx';

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** The buttons, at the end. */
  footer?: ReactNode;
}

/** A window above the page: holds the focus while open and gives it back after. */
export function Dialog({ open, onOpenChange, title, description, children, footer }: DialogProps) {
  const focusReturn = useFocusReturn();
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focusReturn}
          {...(!description && { 'aria-describedby': undefined })}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 flex-col rounded-card border bg-raised shadow-float"
        >
          <div className="flex items-start justify-between gap-4 pt-5 pr-4 pl-6">
            <Radix.Title className="pt-1.5 text-base font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label="Close">
                <X size={18} aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          <div className="min-h-0 overflow-y-auto px-6 pb-5">
            {description && <Radix.Description className="text-muted">{description}</Radix.Description>}
            {children && <div className="pt-4">{children}</div>}
          </div>
          {footer && <div className="flex flex-wrap justify-end gap-2 border-t px-6 py-4">{footer}</div>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
