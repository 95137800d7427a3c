import { Mail, MailWarning } from 'lucide-react';
import { useId, useState } from 'react';
import type { StaffMessage } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const WholeMail = lazyPart(async () => (await import('./WholeMail.tsx')).WholeMail, {
  waiting: <Skeleton className="h-24 w-full rounded-card!" />,
});

/** Below a message that came by mail: that it did, from where, and the whole mail on request. */
export function MailOrigin({ message: { chatId, _id, mail, deletedAt } }: { message: StaffMessage }) {
  const [isOpen, setOpen] = useState(false);
  const whole = useId();
  if (!mail || deletedAt) return null;
  const Icon = mail.from ? MailWarning : Mail;
  return (
    <div className="flex w-full max-w-[68ch] min-w-0 flex-col gap-1.5">
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
        <span className={mail.from && 'text-waiting'}>
          <Icon size={14} aria-hidden className="me-1 inline-block align-text-bottom" />
          <span className="wrap-anywhere">
            {mail.from
              ? rich('answered from another address: {address}', {
                  address: <bdi className="address">{mail.from}</bdi>,
                })
              : t('answered by mail')}
          </span>
        </span>
        {mail.more && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={whole}
            onClick={() => setOpen(!isOpen)}
            className="rounded-small font-medium text-accent-strong underline-offset-2 hover:underline pointer-coarse:py-2"
          >
            {isOpen ? t('Hide the whole mail') : t('Show the whole mail')}
          </button>
        )}
      </p>
      <div id={whole} hidden={!isOpen}>
        {isOpen && <WholeMail chatId={chatId} messageId={_id} />}
      </div>
    </div>
  );
}
