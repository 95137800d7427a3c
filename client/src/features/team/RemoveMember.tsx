import toast from 'react-hot-toast';
import type { Site } from 'server/contract';
import { failureText } from '../../lib/auth.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { useLeaveTeam, useRemoveMember } from './api.ts';

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

interface LeaveTeamProps extends Omit<RemoveMemberProps, 'member'> {
  /** The site is no longer the user's to see. */
  onLeft: () => void;
}

/** Asks before the user leaves the team. */
export function LeaveTeam({ site, open, onOpenChange, onLeft }: LeaveTeamProps) {
  const leave = useLeaveTeam(site._id);
  const confirm = async () => {
    try {
      // Awaited: with the site, this dialog goes before its callbacks would come.
      await leave.mutateAsync();
      toast.success(`You have left the team of ${site.name}`);
      onLeft();
    } catch (error) {
      toast.error(failureText(error, 'You could not be taken off the team.'));
    }
  };
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Leave Team"
      text={`You will no longer see ${site.name} and its chats, until somebody invites you again.`}
      confirmLabel="Leave"
      onConfirm={() => void confirm()}
      busy={leave.isPending}
    />
  );
}
