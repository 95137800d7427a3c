import type { UseMutationResult } from '@tanstack/react-query';
import type { Site } from 'server/contract';
import { t } from '../lib/i18n.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import type { DialogState } from '../ui/Dialog.tsx';
import { useAction } from './useAction.ts';

interface LeaveTeamProps extends DialogState {
  site: Site;
  leave: Pick<UseMutationResult<unknown, Error, void>, 'mutateAsync' | 'isPending'>;
  /** The site is no longer the user's to see. */
  onLeft: () => void;
}

/** Asks before the user leaves a team. */
export function LeaveTeam({ site, leave, onLeft, ...dialog }: LeaveTeamProps) {
  const run = useAction(leave, {
    success: t('You have left the team of {name}', { name: site.name }),
    failure: t('You could not leave the team.'),
    onSuccess: onLeft,
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={t('Leave Team')}
      text={t('You will no longer see {name} and its chats unless somebody invites you again.', { name: site.name })}
      confirmLabel={t('Leave')}
      onConfirm={() => void run()}
      busy={leave.isPending}
    />
  );
}
