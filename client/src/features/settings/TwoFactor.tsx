import { useState } from 'react';
import toast from 'react-hot-toast';
import type { TwoFactorSetup } from 'server/contract';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { useDisableTwoFactor, useNewRecoveryCodes, useSetUpTwoFactor } from './api.ts';
import { PasswordPrompt } from './PasswordPrompt.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { SetUp } from './SetUp.tsx';

type Step =
  | { name: 'set-up'; setup: TwoFactorSetup }
  | { name: 'codes'; codes: string[] }
  | { name: 'off' }
  | { name: 'new-codes' };

const TITLES: Record<Step['name'], string> = {
  'set-up': 'Set up two-factor authentication',
  codes: 'Your recovery codes',
  off: 'Turn two-factor authentication off',
  'new-codes': 'New recovery codes',
};

/** The switch of two-factor sign-in, with all the steps behind it. */
export function TwoFactor({ on }: { on: boolean }) {
  const [step, setStep] = useState<Step | null>(null);
  const setUp = useSetUpTwoFactor();
  const disable = useDisableTwoFactor();
  const renew = useNewRecoveryCodes();
  const close = () => setStep(null);

  const begin = useAction(setUp, {
    failure: 'The set-up could not begin.',
    onSuccess: (setup) => setStep({ name: 'set-up', setup }),
  });
  const showCodes = (codes: string[]) => setStep({ name: 'codes', codes });

  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-6 rounded-card border bg-surface p-4">
        <div className="min-w-0">
          <p className="font-medium">Two-factor authentication</p>
          <p className="text-muted">
            {on
              ? 'Signing in asks for a code of your authenticator app.'
              : 'To sign in, you need your password and a code from an app on your phone.'}
          </p>
        </div>
        <Switch
          label="Two-factor authentication"
          checked={on}
          disabled={setUp.isPending}
          onCheckedChange={(wanted) => (wanted ? void begin() : setStep({ name: 'off' }))}
        />
      </div>
      {on && (
        <div>
          <Button variant="secondary" onClick={() => setStep({ name: 'new-codes' })}>
            New recovery codes
          </Button>
        </div>
      )}
      <Dialog open={step !== null} onOpenChange={close} title={step ? TITLES[step.name] : ''}>
        {step?.name === 'set-up' && <SetUp setup={step.setup} onDone={showCodes} onCancel={close} />}
        {step?.name === 'codes' && <RecoveryCodes codes={step.codes} onDone={close} />}
        {step?.name === 'off' && (
          <PasswordPrompt
            text="Signing in will ask for your password only."
            action="Turn off"
            danger
            onCancel={close}
            onConfirm={async (password) => {
              await disable.mutateAsync(password);
              toast.success('Two-factor authentication is off');
              close();
            }}
          />
        )}
        {step?.name === 'new-codes' && (
          <PasswordPrompt
            text="The codes you have now stop working."
            action="Make new codes"
            onCancel={close}
            onConfirm={async (password) => showCodes(await renew.mutateAsync(password))}
          />
        )}
      </Dialog>
    </div>
  );
}
