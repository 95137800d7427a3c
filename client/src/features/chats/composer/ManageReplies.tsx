import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { type CannedReply, REPLY_MAX_LENGTH, SHORTCUT_MAX_LENGTH, type Site } from 'server/contract';
import { ApiError, failureText } from '../../../lib/http.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { Field } from '../../../ui/Field.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Input, Textarea } from '../../../ui/Input.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { useCannedReplies, useRemoveCannedReply, useSaveCannedReply } from './cannedReplyQueries.ts';

/** Adds, edits and removes the canned replies of a website. */
export function ManageReplies({ site, onDone }: { site: Site; onDone: () => void }) {
  const { data, isError, refetch } = useCannedReplies(site._id, true);
  const [editing, setEditing] = useState<CannedReply | 'new' | null>(null);
  if (editing !== null) {
    return <ReplyForm siteId={site._id} reply={editing === 'new' ? null : editing} onDone={() => setEditing(null)} />;
  }
  return (
    <div className="flex flex-col gap-4 pt-4">
      {data && data.length > 0 && <ReplyList siteId={site._id} replies={data} onEdit={setEditing} />}
      {data?.length === 0 && (
        <p className="py-6 text-center text-muted">No canned replies yet. Add answers that your team uses often.</p>
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
  const [removing, setRemoving] = useState<CannedReply | null>(null);
  const remove = useRemoveCannedReply(siteId);
  const run = useAction(remove, {
    failure: 'The reply could not be removed.',
    onSuccess: () => setRemoving(null),
  });
  const onConfirm = () => {
    if (removing) void run(removing._id);
  };
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
            <IconButton label={`Remove /${reply.shortcut}`} size="sm" tone="danger" onClick={() => setRemoving(reply)}>
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title="Remove this reply?"
        text={`The team can no longer use /${removing?.shortcut}. Sent messages stay.`}
        confirmLabel="Remove"
        busy={remove.isPending}
        onConfirm={onConfirm}
      />
    </>
  );
}

interface ReplyFormProps {
  siteId: string;
  /** `null`: a new one. */
  reply: CannedReply | null;
  onDone: () => void;
}

interface Values {
  shortcut: string;
  content: string;
}

function ReplyForm({ siteId, reply, onDone }: ReplyFormProps) {
  const save = useSaveCannedReply(siteId);
  const form = useForm<Values>({
    defaultValues: { shortcut: reply?.shortcut ?? '', content: reply?.content ?? '' },
    reValidateMode: 'onSubmit',
  });
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ _id: reply?._id ?? null, ...values });
      onDone();
    } catch (failure) {
      const broken = failure instanceof ApiError ? failure.errors[0] : undefined;
      const message = broken?.msg ?? failureText(failure, 'The reply could not be saved.');
      form.setError(broken?.path === 'content' ? 'content' : 'shortcut', { message }, { shouldFocus: true });
    }
  });

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-5">
      <Field
        label="Shortcut"
        hint="Type / and this shortcut to find the reply. Letters, digits, - and _."
        error={errors.shortcut?.message}
      >
        <Input
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          maxLength={SHORTCUT_MAX_LENGTH + 1}
          placeholder="hours"
          {...form.register('shortcut', {
            validate: (shortcut) =>
              /^\s*\/?[\p{L}\p{M}\p{N}_-]+\s*$/u.test(shortcut) || 'Enter a shortcut without spaces',
          })}
        />
      </Field>
      <Field label="Text" error={errors.content?.message}>
        <Textarea
          dir="auto"
          rows={6}
          maxLength={REPLY_MAX_LENGTH}
          {...form.register('content', {
            validate: (content) => content.trim() !== '' || 'Enter the text of the reply',
          })}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" busy={save.isPending}>
          Save reply
        </Button>
      </div>
    </form>
  );
}
