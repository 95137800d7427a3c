import { useState } from 'react';
import type { KeyboardSettings } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Switch } from '../../ui/Switch.tsx';
import { useSaveAtOnce } from './api.ts';

/** Switches off the keys that do something by themselves, for this user on all devices; saved at once. */
export function SingleKeyShortcuts({ singleKeyShortcuts }: KeyboardSettings) {
  const { save } = useSaveAtOnce();
  /** What was chosen and is not saved yet. */
  const [chosen, setChosen] = useState<boolean | null>(null);
  const choose = async (on: boolean) => {
    setChosen(on);
    await save({ section: 'keyboard', data: { singleKeyShortcuts: on } }, () => undefined);
    setChosen(null);
  };
  return (
    <section aria-labelledby="keyboard" className="flex flex-col gap-3">
      <h2 id="keyboard" className="text-base font-semibold">
        {t('Keyboard')}
      </h2>
      <div className="flex items-center justify-between gap-6 rounded-card border bg-surface p-4">
        <div className="min-w-0">
          <p className="font-medium">{t('Single-key shortcuts')}</p>
          <p className="text-muted">
            {t(
              'Single letters such as J, C and E are shortcuts. Switch them off if you press them by mistake or use voice control; it applies wherever you are signed in. Press ? to see all shortcuts.',
            )}
          </p>
        </div>
        <Switch
          label={t('Single-key shortcuts')}
          checked={chosen ?? singleKeyShortcuts}
          onCheckedChange={(on) => void choose(on)}
        />
      </div>
    </section>
  );
}
