import { Pencil, RotateCcw, Trash2 } from 'lucide-react';
import { useContext, useState } from 'react';
import type { StaffMessage } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { EditingContext, useIsChangeable } from './editing.ts';
import { useDeleteMessage } from './messageChanges.ts';

/** What can be done with a message of the user's own, for a quarter of an hour. */
export function MessageActions({ message }: { message: StaffMessage }) {
  const [deleting, setDeleting] = useState(false);
  const { edit } = useContext(EditingContext);
  const { remove, isPending } = useDeleteMessage();
  if (!useIsChangeable(message)) return null;
  return (
    <span className="flex self-center opacity-0 transition-opacity group-hover/bubble:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100">
      {message.type === 'text' && (
        <IconButton label={t('Edit message')} size="sm" onClick={() => edit(message._id)}>
          <Pencil size={14} aria-hidden />
        </IconButton>
      )}
      <IconButton label={t('Delete message')} size="sm" tone="danger" onClick={() => setDeleting(true)}>
        <Trash2 size={14} aria-hidden />
      </IconButton>
      <ConfirmDialog
        open={deleting}
        onOpenChange={setDeleting}
        title={t('Delete message')}
        text={
          message.file
            ? t('The file is deleted for good. The visitor and your team see that a message was deleted here.')
            : t('The text is deleted for good. The visitor and your team see that a message was deleted here.')
        }
        confirmLabel={t('Delete')}
        onConfirm={() =>
          void remove(message).then(() => {
            setDeleting(false);
            edit(null);
          })
        }
        busy={isPending}
      />
    </span>
  );
}

/** Why a message or note was not sent, with the choice to retry or delete it. */
export function Failed({ reason, onRetry, onRemove }: { reason: string; onRetry: () => void; onRemove: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1 text-xs text-danger">
      <span className="px-1">{t('Not sent. {reason}', { reason })}</span>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
        <RotateCcw size={14} aria-hidden />
        {t('Retry')}
      </Button>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRemove}>
        <Trash2 size={14} aria-hidden />
        {t('Delete')}
      </Button>
    </div>
  );
}
