import { useState } from 'react';
import { t } from '../../../lib/i18n.ts';
import { useAction } from '../../../shared/useAction.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { useIdentitySecret } from '../api.ts';

/** The secret that the website's own server signs with: shown on demand, renewed when it has leaked. */
export function IdentitySecret({ siteId }: { siteId: string }) {
  const [asking, setAsking] = useState(false);
  const request = useIdentitySecret(siteId);
  const { data: secret, isPending, variables } = request;
  const show = useAction(request, { failure: t('The identity secret could not be read.') });
  const renew = useAction(request, {
    success: t('There is a new identity secret'),
    failure: t('The identity secret could not be renewed.'),
    onSuccess: () => setAsking(false),
  });
  return (
    <div className="sm:pl-7">
      {secret === undefined ? (
        <Button variant="secondary" size="sm" busy={isPending} onClick={() => void show('show')}>
          {t('Show identity secret')}
        </Button>
      ) : (
        <div className="flex flex-col gap-2">
          <Field
            label={t('Identity secret')}
            hint={t('For your server only: anyone who knows it can pretend to be one of your customers.')}
          >
            <Input readOnly dir="ltr" value={secret} className="font-mono" onFocus={({ target }) => target.select()} />
          </Field>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={secret} />
            <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
              {t('Make a new one')}
            </Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('New Identity Secret')}
        text={t(
          'Tokens that were signed with the old secret are refused from now on, until your server signs with the new one.',
        )}
        confirmLabel={t('Make a new one')}
        onConfirm={() => void renew('renew')}
        busy={isPending && variables === 'renew'}
      />
    </div>
  );
}
