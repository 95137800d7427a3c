import type { Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import type { DialogState } from '../../../ui/Dialog.tsx';
import { useDeleteSite } from '../api.ts';

interface DeleteSiteProps extends DialogState {
  site: Site;
  onDeleted?: () => void;
}

/** Asks before a site goes with all its chats. */
export function DeleteSite({ site, onDeleted, ...dialog }: DeleteSiteProps) {
  const remove = useDeleteSite(site._id);
  const run = useAction(remove, {
    success: t('{name} was deleted', { name: site.name }),
    failure: t('The website could not be deleted.'),
    onSuccess: () => onDeleted?.(),
  });
  return (
    <ConfirmDialog
      {...dialog}
      title={t('Delete Website')}
      text={t(
        'Are you sure you want to delete {name}? This action cannot be undone and will remove all associated chat data.',
        { name: site.name },
      )}
      confirmLabel={t('Delete Website')}
      onConfirm={() => void run()}
      busy={remove.isPending}
    />
  );
}
