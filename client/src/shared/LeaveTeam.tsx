import type { UseMutationResult } from '@tanstack/react-query';
import toast from 'react-hot-toast';
import type { Site } from 'server/contract';
import { failureText } from '../lib/http.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';

interface LeaveTeamProps {
  site: Site;
  leave: Pick<UseMutationResult<unknown, Error, void>, 'mutateAsync' | 'isPending'>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The site is no longer the user's to see. */
  onLeft: () => void;
}

/** Asks before the user leaves a team. */
export function LeaveTeam({ site, leave, open, onOpenChange, onLeft }: LeaveTeamProps) {
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
