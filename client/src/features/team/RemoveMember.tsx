import type { Site } from 'server/contract';
import { useAction } from '../../shared/useAction.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useRemoveMember } from './api.ts';

interface RemoveMemberProps {
  site: Site;
  member: { _id: string; name: string };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks before somebody is taken off the team. */
export function RemoveMember({ site, member, open, onOpenChange }: RemoveMemberProps) {
  const remove = useRemoveMember(site._id);
  const run = useAction(remove, {
    success: `${member.name} was removed`,
    failure: `${member.name} could not be removed.`,
    onSuccess: () => onOpenChange(false),
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Remove Team Member"
      text={`${member.name} will no longer see the chats of ${site.name}. What was written stays.`}
      confirmLabel="Remove"
      onConfirm={() => void run(member._id)}
      busy={remove.isPending}
    />
  );
}
