import type { UseMutationResult } from '@tanstack/react-query';
import type { Site } from 'server/contract';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { useAction } from './useAction.ts';

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
  const run = useAction(leave, {
    success: `You have left the team of ${site.name}`,
    failure: 'You could not leave the team.',
    onSuccess: onLeft,
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Leave Team"
      text={`You will no longer see ${site.name} and its chats unless somebody invites you again.`}
      confirmLabel="Leave"
      onConfirm={() => void run()}
      busy={leave.isPending}
    />
  );
}
