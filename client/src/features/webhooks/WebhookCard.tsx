import { type ReactNode, useState } from 'react';
import type { Webhook } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { useAction } from '../../shared/useAction.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { Time } from '../../ui/Time.tsx';
import { useDeleteWebhook, usePatchWebhook, useTestWebhook } from './api.ts';
import { Deliveries, TestResult } from './Deliveries.tsx';
import { namesOf } from './kinds.ts';
import { Secret } from './Secret.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { EVENT_WORDS } from './words.ts';

interface WebhookCardProps {
  siteId: string;
  webhook: Webhook;
}

/** One webhook, with all that can be done with it. */
export function WebhookCard({ siteId, webhook }: WebhookCardProps) {
  const [open, setOpen] = useState<'form' | 'delete' | null>(null);
  const [isLogShown, setLogShown] = useState(false);
  const patch = usePatchWebhook(siteId, webhook._id);
  const test = useTestWebhook(siteId);
  const remove = useDeleteWebhook(siteId, webhook._id);
  const { name, where } = namesOf(webhook);
  const turn = useAction(patch, { failure: t('The webhook could not be switched.') });
  const send = useAction(test, { failure: t('The test could not be sent.') });
  const drop = useAction(remove, {
    success: t('The webhook is deleted'),
    failure: t('The webhook could not be deleted.'),
  });
  const close = () => setOpen(null);
  return (
    <li className="rounded-card border bg-surface p-4 sm:p-5" aria-label={name}>
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <h3 dir="auto" className="text-left font-semibold rtl:text-right wrap-anywhere">
            {name}
          </h3>
          {where && (
            <p className="address truncate text-muted" title={where}>
              {where}
            </p>
          )}
        </div>
        <Switch
          label={t('Send events to {name}', { name })}
          checked={webhook.enabled}
          disabled={patch.isPending}
          onCheckedChange={(enabled) => void turn({ enabled })}
        />
      </div>
      <State webhook={webhook} />
      <ul aria-label={t('Events')} className="flex flex-wrap gap-1.5 pt-3">
        {webhook.events.map((event) => (
          <li key={event}>
            <Badge>{t(EVENT_WORDS[event][0])}</Badge>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2 pt-4">
        <Button variant="secondary" size="sm" busy={test.isPending} onClick={() => void send(webhook._id)}>
          {t('Send a test')}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setOpen('form')}>
          {t('Edit')}
        </Button>
        <Button variant="secondary" size="sm" aria-expanded={isLogShown} onClick={() => setLogShown(!isLogShown)}>
          {t('Deliveries')}
        </Button>
        <Button variant="ghost" size="sm" onClick={() => setOpen('delete')}>
          {t('Delete')}
        </Button>
      </div>
      <TestResult delivery={test.data} />
      {isLogShown && <Deliveries siteId={siteId} webhook={webhook} />}
      <Dialog open={open === 'form'} onOpenChange={close} title={t('Edit webhook')}>
        <WebhookForm
          values={{
            kind: webhook.kind,
            url: webhook.url ?? '',
            telegramChat: webhook.telegramChat ?? '',
            events: webhook.events,
          }}
          submitLabel={t('Save')}
          onCancel={close}
          onSubmit={async ({ kind: _, ...values }) => {
            await patch.mutateAsync(values);
            close();
          }}
        />
        {webhook.kind === 'custom' && webhook.url && <Secret siteId={siteId} webhookId={webhook._id} />}
      </Dialog>
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title={t('Delete Webhook')}
        text={t('{name} gets no more events, and the list of its deliveries is deleted.', { name })}
        confirmLabel={t('Delete')}
        onConfirm={() => void drop()}
        busy={remove.isPending}
      />
    </li>
  );
}

function State({
  webhook: { url, enabled, failingSince, switchedOffAt, switchedOffFor },
}: Pick<WebhookCardProps, 'webhook'>) {
  if (url === null)
    return <Warning>{t('Its address was encrypted with another DATA_KEY. Choose Edit and enter it again.')}</Warning>;
  if (switchedOffAt && !enabled)
    return (
      <Warning>
        {switchedOffFor === 'api_key'
          ? rich(
              'Switched off {time}: the API key that set it up was revoked or has expired. Check its address before you switch it on again.',
              { time: <Time at={switchedOffAt} /> },
            )
          : rich('Switched off {time}: nothing was accepted for a day. Send a test, then switch it on again.', {
              time: <Time at={switchedOffAt} />,
            })}
      </Warning>
    );
  if (!enabled) return <p className="pt-2 text-muted">{t('Off. Nothing is sent.')}</p>;
  if (!failingSince) return null;
  return (
    <Warning>
      {rich('Nothing was accepted since {time}. Parley tries again for a day.', { time: <Time at={failingSince} /> })}
    </Warning>
  );
}

function Warning({ children }: { children: ReactNode }) {
  return <p className="mt-3 rounded-control bg-waiting-soft px-3 py-2 text-waiting">{children}</p>;
}
