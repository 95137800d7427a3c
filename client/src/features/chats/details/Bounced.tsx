import { useMutation, useQueryClient } from '@tanstack/react-query';
import { MailX } from 'lucide-react';
import { type Chat, can, type Site, type VisitorDetails } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { showFailure } from '../../../ui/failureToast.tsx';
import { patchThread } from '../live/thread.ts';

type Bounce = NonNullable<VisitorDetails['bounced']>;

/** By the status of the report (RFC 3463). */
const REASONS: Record<string, string> = {
  '5.1.1': msg('There is no such mailbox.'),
  '5.1.2': msg('There is no such domain.'),
  '5.4.4': msg('There is no such domain.'),
  '5.2.1': msg('The mailbox is closed.'),
};

interface BouncedProps {
  chat: Chat;
  site: Site | undefined;
  bounced: Bounce;
}

/** That the visitor's address takes no mails, so that nobody waits for an answer from there. */
export function Bounced({ chat, site, bounced }: BouncedProps) {
  const tryAgain = useTryAgain(chat);
  const { status } = bounced;
  const reason = REASONS[status];
  return (
    <div className="flex w-full flex-col items-center gap-2 rounded-control bg-danger-soft px-3 py-2.5 text-danger">
      <p className="font-medium">
        <MailX size={16} aria-hidden className="me-1.5 inline-block align-text-bottom" />
        {t('Mails to this address come back')}
      </p>
      <p className="text-xs">{reason ? t(reason) : t('The mail server answered {status}.', { status })}</p>
      {site && can(site, 'visitors.edit') && (
        <Button variant="secondary" size="sm" onClick={() => tryAgain(bounced)}>
          {t('Try this address again')}
        </Button>
      )}
    </div>
  );
}

/** Takes the mark off the address; an optimistic update. */
function useTryAgain({ _id: chatId, visitorId }: Chat) {
  const client = useQueryClient();
  const show = (bounced?: Bounce) =>
    patchThread(client, chatId, ({ visitor, ...thread }) => {
      if (!visitor) return { ...thread, visitor };
      const { bounced: _before, ...known } = visitor;
      return { ...thread, visitor: { ...known, ...(bounced && { bounced }) } };
    });
  const { mutate } = useMutation({
    mutationFn: (_: Bounce) => call('DELETE /visitors/:id/bounce', { params: { id: visitorId } }),
    onMutate: () => void show(),
    onError: (error, bounced) => {
      show(bounced);
      showFailure(error, t('The address could not be marked to be tried again.'), () => mutate(bounced));
    },
  });
  return mutate;
}
