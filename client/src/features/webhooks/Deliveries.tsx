import type { Delivery, Webhook } from 'server/contract';
import { formatTime } from '../../lib/format.ts';
import { facts, msg, plural, t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { useAction } from '../../shared/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { useDeliveries, useResend } from './api.ts';
import { eventWords, outcomeWords } from './words.ts';

interface DeliveriesProps {
  siteId: string;
  webhook: Webhook;
}

export function Deliveries({ siteId, webhook }: DeliveriesProps) {
  const { data: deliveries, isPending, refetch } = useDeliveries(siteId, webhook._id);
  if (isPending) return <Skeleton className="mt-4 h-24 w-full" />;
  if (!deliveries) return <ErrorState what={t('The deliveries could not be loaded.')} onRetry={() => void refetch()} />;
  if (deliveries.length === 0) return <p className="pt-4 text-muted">{t('Nothing has been sent yet.')}</p>;
  return (
    <ul aria-label={t('Last deliveries')} className="mt-4 flex flex-col divide-y border-t">
      {deliveries.map((delivery) => (
        <Row key={delivery._id} siteId={siteId} webhook={webhook} delivery={delivery} />
      ))}
    </ul>
  );
}

const STATES: Record<Delivery['status'], [label: string, tone: 'success' | 'waiting' | 'closed']> = {
  sent: [msg('Sent'), 'success'],
  waiting: [msg('Waiting'), 'waiting'],
  failed: [msg('Failed'), 'closed'],
  dropped: [msg('Dropped'), 'closed'],
};

function Row({ siteId, webhook, delivery }: DeliveriesProps & { delivery: Delivery }) {
  const again = useResend(siteId, webhook._id);
  const resend = useAction(again, { success: t('It is sent again'), failure: t('It could not be sent again.') });
  const { _id, event, status, count, attempts, at, nextAt, answer } = delivery;
  const [label, tone] = STATES[status];
  const mayResend = status !== 'waiting' && count === 1 && event !== 'webhook.test' && webhook.enabled;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={tone}>{t(label)}</Badge>
          <span className="font-medium">{eventWords(event)}</span>
          <Time at={at} className="text-muted" />
        </p>
        <p className="pt-1 text-muted">
          {facts(outcomeWords(delivery), attempts > 1 && plural(attempts, '{count} try', '{count} tries'))}
          {nextAt && attempts > 0 && (
            <>
              {' · '}
              {rich('next try {time}', { time: <time dateTime={nextAt}>{formatTime(nextAt)}</time> })}
            </>
          )}
        </p>
        {answer !== '' && <Answer text={answer} />}
      </div>
      {mayResend && (
        <Button
          variant="secondary"
          size="sm"
          busy={again.isPending}
          aria-label={t('Send again: {event}', { event: eventWords(event) })}
          onClick={() => void resend(_id)}
        >
          {t('Send again')}
        </Button>
      )}
    </li>
  );
}

/** The beginning of what a receiver answered. */
function Answer({ text }: { text: string }) {
  return (
    <pre
      dir="auto"
      className="mt-2 overflow-x-auto rounded-control bg-background px-3 py-2 text-xs whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}

/** What came of a test, read out as it comes. */
export function TestResult({ delivery }: { delivery: Delivery | undefined }) {
  return (
    <>
      <div role="status">
        {delivery && (
          <p className={`pt-3 font-medium ${delivery.failure ? 'text-danger' : 'text-success'}`}>
            {delivery.failure ? t('The test failed.') : t('The test has arrived.')} {outcomeWords(delivery)}.
          </p>
        )}
      </div>
      {delivery?.answer && <Answer text={delivery.answer} />}
    </>
  );
}
