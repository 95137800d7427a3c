import { AlertDialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { AlertFrame } from './AlertDialog.tsx';
import { Button } from './Button.tsx';
import type { DialogState } from './Dialog.tsx';

interface ConfirmProps extends DialogState {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  onConfirm: () => void;
  tone?: 'primary' | 'danger';
  busy?: boolean;
}

/** Asks before something that cannot be taken back. Stays open until the owner closes it. */
export function ConfirmDialog(props: ConfirmProps) {
  const { open, onOpenChange, title, text, confirmLabel, onConfirm, tone = 'danger', busy = false } = props;
  return (
    <AlertFrame open={open} onOpenChange={onOpenChange}>
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
    </AlertFrame>
  );
}
