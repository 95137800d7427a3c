import { useState } from 'react';
import toast from 'react-hot-toast';
import { failureText } from '../../lib/http.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { toastFailure } from '../../ui/toastFailure.tsx';
import { useIdentitySecret } from './manage.ts';

/** The secret that the website's own server signs with: shown on demand, renewed when it has leaked. */
export function IdentitySecret({ siteId }: { siteId: string }) {
  const [asking, setAsking] = useState(false);
  const { data: secret, mutate, isPending, variables } = useIdentitySecret(siteId);
  const show = () =>
    mutate('show', {
      onError: (error) => toastFailure(failureText(error, 'The identity secret could not be read.'), show),
    });
  const renew = () =>
    mutate('renew', {
      onSuccess: () => {
        toast.success('There is a new identity secret');
        setAsking(false);
      },
      onError: (error) => toast.error(failureText(error, 'The identity secret could not be renewed.')),
    });
  return (
    <div className="sm:pl-7">
      {secret === undefined ? (
        <Button variant="secondary" size="sm" busy={isPending} onClick={show}>
          Show identity secret
        </Button>
      ) : (
        <div className="flex flex-col gap-2">
          <Field
            label="Identity secret"
            hint="For your server only: whoever knows it can pass for any of your customers."
          >
            <Input readOnly value={secret} className="font-mono" onFocus={({ target }) => target.select()} />
          </Field>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={secret} />
            <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
              Make a new one
            </Button>
          </div>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="New Identity Secret"
        text="Tokens that were signed with the old secret are refused from now on, until your server signs with the new one."
        confirmLabel="Make a new one"
        onConfirm={renew}
        busy={isPending && variables === 'renew'}
      />
    </div>
  );
}
