import toast from 'react-hot-toast';
import type { Site } from 'server/contract';
import { failureText } from '../../lib/http.ts';
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
  const confirm = () =>
    remove.mutate(member._id, {
      onSuccess: () => {
        toast.success(`${member.name} was removed`);
        onOpenChange(false);
      },
      onError: (error) => toast.error(failureText(error, `${member.name} could not be removed.`)),
    });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Remove Team Member"
      text={`${member.name} will no longer see the chats of ${site.name}. What was written stays.`}
      confirmLabel="Remove"
      onConfirm={confirm}
      busy={remove.isPending}
    />
  );
}
