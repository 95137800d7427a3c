import { useState } from 'react';
import type { Delivery, Webhook, WebhookEvent } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { useAddWebhook, useTestWebhook } from './api.ts';
import { TestResult } from './Deliveries.tsx';
import { KINDS } from './kinds.ts';
import { SecretField } from './Secret.tsx';
import { WebhookForm } from './WebhookForm.tsx';

const USUAL: WebhookEvent[] = ['chat.opened', 'message.created'];

/** Adds a webhook. A program then needs its secret; a ready-made target gets a test at once. */
export function NewWebhook({ siteId, onDone }: { siteId: string; onDone: () => void }) {
  const add = useAddWebhook(siteId);
  const test = useTestWebhook(siteId);
  const [added, setAdded] = useState<{ webhook: Webhook; secret: string | null } | null>(null);
  const send = useAction(test, { failure: t('The test could not be sent.') });
  if (added === null)
    return (
      <WebhookForm
        isNew
        values={{ kind: 'slack', url: '', events: USUAL }}
        submitLabel={t('Add webhook')}
        onCancel={onDone}
        onSubmit={async (values) => {
          const answer = await add.mutateAsync(values);
          setAdded(answer);
          if (answer.secret === null) void send(answer.webhook._id);
        }}
      />
    );
  const { webhook, secret } = added;
  return (
    <div className="flex flex-col gap-5 pt-4">
      {secret === null ? (
        <div>
          <p>{stateText(webhook, test)}</p>
          <TestResult delivery={test.data} />
        </div>
      ) : (
        <>
          <p>{t('The webhook is on. Give its secret to your program, so that it can check what comes from Parley.')}</p>
          <SecretField secret={secret} />
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        {secret === null && (
          <Button variant="secondary" busy={test.isPending} onClick={() => void send(webhook._id)}>
            {t('Send another test')}
          </Button>
        )}
        <Button onClick={onDone}>{t('Done')}</Button>
      </div>
    </div>
  );
}

function stateText({ kind }: Webhook, { isPending, data }: { isPending: boolean; data: Delivery | undefined }): string {
  if (isPending) return t('The webhook is on. A test is being sent…');
  if (!data) return t('The webhook is on.');
  if (data.failure)
    return t('The webhook is on, but its test did not arrive. Close this and choose Edit to change it.');
  return t('The webhook is on. Look into {service}: the test should be there.', { service: t(KINDS[kind].label) });
}
