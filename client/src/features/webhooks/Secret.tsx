import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { useWebhookSecret } from './api.ts';

/** A secret, to be copied. */
export function SecretField({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-2">
      <Field label={t('Secret')} hint={t('For your program only. The signature of every request is made with it.')}>
        <Input readOnly dir="ltr" value={secret} className="font-mono" onFocus={({ target }) => target.select()} />
      </Field>
      <div>
        <CopyButton text={secret} />
      </div>
    </div>
  );
}

/** The secret of a webhook: shown on demand, renewed when it has leaked. */
export function Secret({ siteId, webhookId }: { siteId: string; webhookId: string }) {
  const [asking, setAsking] = useState(false);
  const request = useWebhookSecret(siteId, webhookId);
  const { data: secret, isPending, variables } = request;
  const show = useAction(request, { failure: t('The secret could not be read.') });
  const renew = useAction(request, {
    success: t('There is a new secret'),
    failure: t('The secret could not be renewed.'),
    onSuccess: () => setAsking(false),
  });
  return (
    <div className="flex flex-col gap-2 border-t pt-4">
      {secret === undefined ? (
        <div>
          <Button variant="secondary" size="sm" busy={isPending} onClick={() => void show('show')}>
            {t('Show secret')}
          </Button>
        </div>
      ) : (
        <>
          <SecretField secret={secret} />
          <div>
            <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
              {t('New secret')}
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('New Secret')}
        text={t('For a day, requests are signed with both secrets. Give the new one to your program in that time.')}
        confirmLabel={t('Make a new one')}
        onConfirm={() => void renew('renew')}
        busy={isPending && variables === 'renew'}
      />
    </div>
  );
}
