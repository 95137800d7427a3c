import { useMutation } from '@tanstack/react-query';
import { Download, LogOut } from 'lucide-react';
import { useState } from 'react';
import toast from 'react-hot-toast';
import { Link } from 'react-router-dom';
import { download } from '../../lib/download.ts';
import { listed, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { token } from '../../lib/token.ts';
import { useSites } from '../../shared/sites.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useDeleteAccount } from './api.ts';
import { ConfirmPrompt } from './ConfirmPrompt.tsx';

/** Export of the user's data, and deletion of the account. */
export function AccountData() {
  const [asking, setAsking] = useState(false);
  const owned = useSites().data?.filter(({ isOwner }) => isOwner) ?? [];
  const fetching = useMutation({
    mutationFn: () => download('/auth/account/export', 'parley-account.json', { onProgress: () => undefined }),
  });
  const take = useAction(fetching, { failure: t('Your data could not be downloaded.') });
  return (
    <section aria-labelledby="leave" className="flex flex-col gap-4 border-t pt-8">
      <h2 id="leave" className="text-base font-semibold">
        {t('Your data')}
      </h2>
      <p className="text-muted">
        {t(
          'Everything stored about your account, as a file. Deleting the account removes you from all teams; your messages to visitors stay, with your name.',
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" busy={fetching.isPending} onClick={() => void take()}>
          <Download size={16} aria-hidden />
          {t('Download my data')}
        </Button>
        <Button variant="ghost" className="text-danger!" onClick={() => setAsking(true)}>
          <LogOut size={16} aria-hidden className="rtl:-scale-x-100" />
          {t('Delete account')}
        </Button>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t('Delete account')}
        text={t('You are signed out everywhere. The account cannot be restored.')}
      >
        {owned.length > 0 ? (
          <OwnsSites names={owned.map(({ name }) => name)} onCancel={() => setAsking(false)} />
        ) : (
          <LeaveForm onCancel={() => setAsking(false)} />
        )}
      </Dialog>
    </section>
  );
}

/** Owners of websites must transfer or delete those first, so they are not asked for a password. */
function OwnsSites({ names, onCancel }: { names: readonly string[]; onCancel: () => void }) {
  return (
    <>
      <p className="pt-4 wrap-anywhere">
        {t('You still own {names}. Delete them, or hand them over to a colleague, and try again.', {
          names: listed(names),
        })}
      </p>
      <div className="flex flex-wrap justify-end gap-2 pt-5">
        <Button variant="secondary" onClick={onCancel}>
          {t('Cancel')}
        </Button>
        <Button asChild>
          <Link to={paths.sites}>{t('Your websites')}</Link>
        </Button>
      </div>
    </>
  );
}

function LeaveForm({ onCancel }: { onCancel: () => void }) {
  const leave = useDeleteAccount();
  return (
    <ConfirmPrompt
      action={t('Delete my account')}
      danger
      onCancel={onCancel}
      onConfirm={async (confirmation) => {
        await token.leave(() => leave.mutateAsync(confirmation));
        token.clear();
        toast.success(t('Your account is deleted'));
      }}
    />
  );
}
