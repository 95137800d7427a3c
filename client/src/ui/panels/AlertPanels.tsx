import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { Button } from '../Button.tsx';
import { useFocusBefore } from './focus.ts';

interface FrameProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}

/** A modal alert dialog. On close it returns the focus to where it was. */
function Frame({ children, ...root }: FrameProps) {
  const focus = useFocusBefore();
  return (
    <Radix.Root {...root}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focus}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 overflow-y-auto rounded-card border bg-raised p-6 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Says `text` until it is closed; there only while there is a text. */
export function AlertPanel({ text, onClose }: { text: string | null; onClose: () => void }) {
  return (
    <Frame open={text !== null} onOpenChange={(open) => !open && onClose()}>
      <Radix.Title className="sr-only">{t('Notice')}</Radix.Title>
      <Radix.Description className="wrap-anywhere">{text}</Radix.Description>
      <div className="flex justify-end pt-6">
        {/* Cancel, not Action: that is the one which gets the focus. */}
        <Radix.Cancel asChild>
          <Button>{t('OK')}</Button>
        </Radix.Cancel>
      </div>
    </Frame>
  );
}

export interface ConfirmProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  text: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  tone?: 'primary' | 'danger';
  busy?: boolean;
}

/** A question; its owner closes it. */
export function ConfirmPanel(props: ConfirmProps) {
  const { open, onOpenChange, title, text, confirmLabel, onConfirm, tone = 'danger', busy = false } = props;
  return (
    <Frame open={open} onOpenChange={onOpenChange}>
      <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
      <Radix.Description className="pt-2 wrap-anywhere text-muted">{text}</Radix.Description>
      <div className="flex flex-wrap justify-end gap-2 pt-6">
        <Radix.Cancel asChild>
          <Button variant="secondary">{t('Cancel')}</Button>
        </Radix.Cancel>
        <Button variant={tone} busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Frame>
  );
}
