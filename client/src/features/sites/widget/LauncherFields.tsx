import { useFormContext } from 'react-hook-form';
import {
  LAUNCHER_OFFSET_MAX,
  LAUNCHER_PAGE_MAX_LENGTH,
  LAUNCHER_PAGES_MAX,
  LAUNCHER_TEXT_MAX_LENGTH,
} from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { Input } from '../../../ui/Input.tsx';
import { SiteCheckbox, SiteField, SiteLines, SiteSelect, whole } from '../form/SiteField.tsx';
import { ICONS, SHAPES } from '../form/siteFields.ts';
import type { SiteValues } from '../form/siteForm.ts';
import { pagesProblem } from './launcher.ts';

/** The button that opens the widget: its look, and where it is not shown. */
export function LauncherFields() {
  const { register } = useFormContext<SiteValues>();
  const pixels = { type: 'number', min: 0, max: LAUNCHER_OFFSET_MAX };
  return (
    <fieldset className="flex min-w-0 flex-col gap-6">
      <legend className="pb-4 text-base font-semibold">{t('Launcher')}</legend>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <SiteSelect name="settings.launcher.shape" options={SHAPES} />
        <SiteSelect name="settings.launcher.icon" options={ICONS} />
      </div>
      <SiteField
        name="settings.launcher.text"
        hint={t(
          'Leave it empty for the button text in the owner’s settings. Screen readers also read it where it is not shown.',
        )}
      >
        <Input {...register('settings.launcher.text')} maxLength={LAUNCHER_TEXT_MAX_LENGTH} />
      </SiteField>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <SiteField name="settings.launcher.side">
          <Input {...register('settings.launcher.side', whole(LAUNCHER_OFFSET_MAX))} {...pixels} />
        </SiteField>
        <SiteField name="settings.launcher.bottom">
          <Input {...register('settings.launcher.bottom', whole(LAUNCHER_OFFSET_MAX))} {...pixels} />
        </SiteField>
      </div>
      <SiteCheckbox
        name="settings.launcher.hideOnPhones"
        hint={t('Your page can still open the chat with Parley.open().')}
      />
      <SiteCheckbox name="settings.launcher.hideOffline" hint={t('Visitors then cannot leave a message.')} />
      <SiteLines
        name="settings.launcher.hideOn"
        hint={t('One per line, up to {max}: pages whose address contains it, like /checkout.', {
          max: LAUNCHER_PAGES_MAX,
        })}
        problemOf={pagesProblem}
        maxLength={LAUNCHER_PAGES_MAX * (LAUNCHER_PAGE_MAX_LENGTH + 1)}
      />
    </fieldset>
  );
}
