import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { CannedReply, Site } from 'server/contract';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useRemoveReply, useReplies } from './cannedReplies.ts';
import { ReplyForm } from './ReplyForm.tsx';

/** All canned replies of a site, to be added, changed and removed. */
export function Replies({ site, onDone }: { site: Site; onDone: () => void }) {
  const { data, isError, refetch } = useReplies(site._id, true);
  const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
  if (editing !== null) {
    return <ReplyForm siteId={site._id} reply={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />;
  }
  return (
    <div className="flex flex-col gap-4 pt-4">
      {data && data.length > 0 && <ReplyList siteId={site._id} replies={data} onEdit={setEditing} />}
      {data?.length === 0 && (
        <p className="py-6 text-center text-muted">
          No canned replies yet. Write down what your team answers again and again.
        </p>
      )}
      {isError && !data && <ErrorState what="The canned replies could not be loaded." onRetry={() => void refetch()} />}
      {!data && !isError && <Skeleton className="h-32" />}
      <div className="flex flex-wrap justify-between gap-2">
        <Button variant="secondary" onClick={() => setEditing('new')}>
          <Plus size={16} aria-hidden />
          Add a reply
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </div>
  );
}

interface ReplyListProps {
  siteId: string;
  replies: readonly CannedReply[];
  onEdit: (reply: CannedReply) => void;
}

function ReplyList({ siteId, replies, onEdit }: ReplyListProps) {
  const [doomed, setDoomed] = useState<CannedReply | null>(null);
  const remove = useRemoveReply(siteId);
  const run = useAction(remove, {
    failure: 'The reply could not be removed.',
    onSuccess: () => setDoomed(null),
  });
  const onConfirm = () => doomed && void run(doomed._id);
  return (
    <>
      <ul aria-label="Canned replies" className="max-h-80 divide-y overflow-y-auto rounded-control border">
        {replies.map((reply) => (
          <li key={reply._id} className="flex items-center gap-1 py-1 pr-1 pl-3">
            <span className="min-w-0 flex-1 py-1">
              <span className="block truncate font-medium">/{reply.shortcut}</span>
              <span dir="auto" className="block truncate text-muted">
                {reply.content}
              </span>
            </span>
            <IconButton label={`Edit /${reply.shortcut}`} size="sm" onClick={() => onEdit(reply)}>
              <Pencil size={16} aria-hidden />
            </IconButton>
            <IconButton label={`Remove /${reply.shortcut}`} size="sm" tone="danger" onClick={() => setDoomed(reply)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={doomed !== null}
        onOpenChange={(open) => !open && setDoomed(null)}
        title="Remove this reply?"
        text={`Nobody on the team will find /${doomed?.shortcut} any more. Messages that were sent with it stay.`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={onConfirm}
      />
    </>
  );
}
