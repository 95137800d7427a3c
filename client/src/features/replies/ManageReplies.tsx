import { Paperclip, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type CannedReply, can, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useCannedReplies } from './api.ts';
import { useRemoveCannedReply } from './changes.ts';
import { ImportReplies } from './ImportReplies.tsx';
import { ReplyForm } from './ReplyForm.tsx';

/** Adds, edits and removes the canned replies of a website. */
export function ManageReplies({ site, onDone }: { site: Site; onDone: () => void }) {
  const { data, isError, refetch } = useCannedReplies(site._id, true);
  const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
  if (editing !== null) {
    return <ReplyForm site={site} reply={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />;
  }
  return (
    <div className="flex flex-col gap-4 pt-4">
      {data && data.length > 0 && <ReplyList site={site} replies={data} onEdit={setEditing} />}
      {data?.length === 0 && (
        <p className="py-6 text-center text-muted">
          {t('No canned replies yet. Add answers that your team uses often.')}
        </p>
      )}
      {isError && !data && (
        <ErrorState what={t('The canned replies could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton className="h-32" />}
      <ImportReplies site={site} />
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="secondary" onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden />
          {t('Add a reply')}
        </Button>
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
    </div>
  );
}

interface ReplyListProps {
  site: Site;
  replies: readonly CannedReply[];
  onEdit: (reply: CannedReply) => void;
}

function ReplyList({ site, replies, onEdit }: ReplyListProps) {
  const [removing, setRemoving] = useState<CannedReply | null>(null);
  const remove = useRemoveCannedReply(site._id);
  const run = useAction(remove, {
    failure: t('The reply could not be removed.'),
    onSuccess: () => setRemoving(null),
  });
  const onConfirm = () => {
    if (removing) void run(removing._id);
  };
  return (
    <>
      <ul aria-label={t('Canned replies')} className="max-h-80 divide-y overflow-y-auto rounded-control border">
        {replies.map((reply) => (
          <li key={reply._id} className="flex items-center gap-1 py-1 pe-1 ps-3">
            <span className="min-w-0 flex-1 py-1">
              <span className="flex items-center gap-2 font-medium">
                <bdi className="truncate">/{reply.shortcut}</bdi>
                {reply.personal && <Badge>{t('Only you')}</Badge>}
                {reply.files.length > 0 && (
                  <Paperclip size={14} role="img" aria-label={t('With files')} className="shrink-0" />
                )}
              </span>
              <span dir="auto" className="block truncate text-muted">
                {reply.content}
              </span>
            </span>
            {(reply.personal || can(site, 'replies.edit')) && (
              <>
                <IconButton
                  label={t('Edit /{shortcut}', { shortcut: reply.shortcut })}
                  size="sm"
                  onClick={() => onEdit(reply)}
                >
                  <Pencil size={16} aria-hidden />
                </IconButton>
                <IconButton
                  label={t('Remove /{shortcut}', { shortcut: reply.shortcut })}
                  size="sm"
                  tone="danger"
                  onClick={() => setRemoving(reply)}
                >
                  <Trash2 size={16} aria-hidden />
                </IconButton>
              </>
            )}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={t('Remove this reply?')}
        text={
          removing?.personal
            ? t('You can no longer use /{shortcut}. Sent messages stay.', { shortcut: removing.shortcut })
            : t('The team can no longer use /{shortcut}. Sent messages stay.', { shortcut: removing?.shortcut ?? '' })
        }
        confirmLabel={t('Remove')}
        busy={remove.isPending}
        onConfirm={onConfirm}
      />
    </>
  );
}
