import { CircleCheck, CircleX } from 'lucide-react';
import type { MailDoorState, MailInState, MailRefusal } from 'server/contract';
import { doorTitle, REFUSALS } from '#features/mailin';
import { formatCount, formatDayTime } from '../../lib/format.ts';
import { facts, plural, t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useMailIn } from './api.ts';

/** How answers to mails come in. */
export function MailIn() {
  const { data: mailIn, isPending, refetch } = useMailIn();
  if (mailIn === null) return null;
  return (
    <section aria-labelledby="mail-in" className="flex flex-col gap-3">
      <h2 id="mail-in" className="text-base font-semibold">
        {t('Mails that come in')}
      </h2>
      {mailIn && <State mailIn={mailIn} />}
      {isPending && <Skeleton className="h-40 rounded-card!" />}
      {!isPending && !mailIn && (
        <div className="rounded-card border bg-surface">
          <ErrorState what={t('The state of mails could not be loaded.')} onRetry={() => void refetch()} />
        </div>
      )}
    </section>
  );
}

function State({ mailIn: { address, doors, waiting, today } }: { mailIn: MailInState }) {
  return (
    <div className="divide-y rounded-card border bg-surface">
      <p className="px-4 py-3 wrap-anywhere sm:px-5">
        {rich('Visitors answer to {address}.', { address: <bdi className="address font-medium">{address}</bdi> })}
      </p>
      <ul aria-label={t('Ways in')} className="divide-y">
        {doors.map((door) => (
          <Door key={facts(door.door, door.node)} {...door} />
        ))}
      </ul>
      {waiting && (
        <p className="px-4 py-3 sm:px-5">
          {plural(
            waiting.count,
            '{count} mail waits in the mailbox for a later try, since {time}',
            '{count} mails wait in the mailbox for a later try, since {time}',
            { time: formatDayTime(waiting.since) },
          )}
        </p>
      )}
      <Today {...today} />
    </div>
  );
}

function Door({ door, node, isOpen, since, error, lastMailAt }: MailDoorState) {
  const Icon = isOpen ? CircleCheck : CircleX;
  const time = formatDayTime(since);
  return (
    <li className="flex items-start gap-3 px-4 py-3 sm:px-5">
      <Icon size={18} aria-hidden className={`mt-px shrink-0 ${isOpen ? 'text-success' : 'text-danger'}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{doorTitle(door)}</span>
          {node && <bdi className="address text-xs text-muted wrap-anywhere">{node}</bdi>}
        </p>
        <p className="text-xs text-muted">
          {facts(
            isOpen ? t('Open since {time}', { time }) : t('Not open since {time}', { time }),
            lastMailAt ? t('last mail {time}', { time: formatDayTime(lastMailAt) }) : t('no mail yet'),
          )}
        </p>
        {error && <p className="pt-0.5 text-xs wrap-anywhere text-danger">{t(error)}</p>}
      </div>
    </li>
  );
}

/** What became of the mails of this UTC day. */
function Today({ added, later, refused }: MailInState['today']) {
  const reasons = (Object.keys(REFUSALS) as MailRefusal[])
    .map((reason) => ({ reason, count: refused[reason] ?? 0 }))
    .filter(({ count }) => count > 0);
  const total = reasons.reduce((sum, { count }) => sum + count, 0);
  return (
    <div className="px-4 py-3 sm:px-5">
      <p>
        {facts(
          plural(added, 'Today {count} mail became a message', 'Today {count} mails became messages'),
          plural(total, '{count} was not taken', '{count} were not taken'),
          later > 0 && plural(later, '{count} try was put off', '{count} tries were put off'),
        )}
      </p>
      {reasons.length > 0 && (
        <ul aria-label={t('Not taken')} className="flex flex-wrap gap-x-4 pt-0.5 text-xs text-muted">
          {reasons.map(({ reason, count }) => (
            <li key={reason}>
              {t(REFUSALS[reason])}: <span className="tabular-nums">{formatCount(count)}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
