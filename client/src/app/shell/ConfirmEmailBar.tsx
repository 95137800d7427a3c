import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { call } from '../../lib/api.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { keys } from '../../lib/query.ts';
import { useSocketEvents } from '../../lib/socket.tsx';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';

/** Asks a new user to follow the link that was mailed to the address; until then, no other mails are sent there. */
export function ConfirmEmailBar({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: keys.profile });
  // The link may be followed on another device.
  useSocketEvents({ account_updated: refresh }, refresh);
  const link = useMutation({ mutationFn: () => call('POST /auth/email/link') });
  const sendAgain = useAction(link, {
    success: ({ to }) => t('A new link is on its way to {email}', { email: to }),
    failure: t('The link could not be sent.'),
  });
  return (
    <section
      aria-label={t('Confirm your email address')}
      className="flex shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-accent-soft px-4 py-2 text-sm"
    >
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2.5">
        <MailCheck size={16} aria-hidden className="mt-0.5 shrink-0 text-accent-strong" />
        <span className="min-w-0 wrap-anywhere">
          {t(
            'Confirm your email address: follow the link that was sent to {email}. Until then you get no other mails.',
            {
              email,
            },
          )}
        </span>
      </p>
      <span className="flex flex-wrap items-center gap-2">
        <Button size="sm" variant="secondary" busy={link.isPending} onClick={() => void sendAgain(undefined)}>
          {t('Send the link again')}
        </Button>
        <Button size="sm" variant="ghost" asChild>
          <Link to={paths.settings}>{t('Change the address')}</Link>
        </Button>
      </span>
    </section>
  );
}
