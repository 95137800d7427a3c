import { MailPlus } from 'lucide-react';
import { useState } from 'react';
import type { Invite } from 'server/contract';
import { plural, t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { inviteLink, useInvites, useResendInvite, useRevokeInvite } from './api.ts';
import { PeopleSkeleton } from './Members.tsx';

const DAY_MS = 86_400_000;

/** Who was invited and has not come yet; only for those who may invite. */
export function Invites({ siteId }: { siteId: string }) {
  const { data: invites, isPending, refetch } = useInvites(siteId, true);
  return (
    <section aria-labelledby="pending-invites" className="flex flex-col gap-3">
      <h2 id="pending-invites" className="text-base font-semibold">
        {t('Pending Invites')}
      </h2>
      <div className="rounded-card border bg-surface">
        {invites && invites.length > 0 && (
          <ul className="divide-y">
            {invites.map((invite) => (
              <InviteRow key={invite._id} invite={invite} />
            ))}
          </ul>
        )}
        {invites?.length === 0 && (
          <EmptyState
            icon={MailPlus}
            title={t('No pending invites')}
            text={t('People you invite are listed here until they use the link.')}
          />
        )}
        {isPending && <PeopleSkeleton label={t('Loading invites')} rows={1} />}
        {!invites && !isPending && (
          <ErrorState what={t('The invites could not be loaded.')} onRetry={() => void refetch()} />
        )}
      </div>
    </section>
  );
}

function InviteRow({ invite }: { invite: Invite }) {
  const resend = useResendInvite(invite.siteId);
  const sendAgain = useAction(resend, {
    success: ({ mailed }) =>
      mailed
        ? t('Invite sent again. The link before no longer works.')
        : t('The invite has a new link for you to send. The old one no longer works.'),
    failure: t('The invite could not be sent again.'),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-52">
        <p className="address truncate font-medium" title={invite.email}>
          {invite.email}
        </p>
        <p className="text-muted">
          <span>{t('Invited as {role}', { role: t(invite.role) })}</span> · {expiry(invite.expiresAt, Date.now())}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={inviteLink(invite)} label={t('Copy Link')} />
        <Button variant="secondary" size="sm" busy={resend.isPending} onClick={() => void sendAgain(invite._id)}>
          {t('Resend')}
        </Button>
        <Revoke invite={invite} />
      </div>
    </li>
  );
}

function Revoke({ invite }: { invite: Invite }) {
  const [asking, setAsking] = useState(false);
  const revoke = useRevokeInvite(invite.siteId);
  const run = useAction(revoke, {
    success: t('Invite revoked'),
    failure: t('The invite could not be revoked.'),
    onSuccess: () => setAsking(false),
  });
  return (
    <>
      <Button variant="ghost" size="sm" onClick={() => setAsking(true)}>
        {t('Revoke')}
      </Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('Revoke Invite')}
        text={t('The link that {email} got will no longer work.', { email: invite.email })}
        confirmLabel={t('Revoke')}
        onConfirm={() => void run(invite._id)}
        busy={revoke.isPending}
      />
    </>
  );
}

function expiry(expiresAt: string, now: number): string {
  const days = Math.ceil((Date.parse(expiresAt) - now) / DAY_MS);
  if (days <= 0) return t('expired: resend it');
  return days === 1 ? t('expires within a day') : plural(days, 'expires in {count} day', 'expires in {count} days');
}
