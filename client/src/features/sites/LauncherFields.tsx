import { Controller } from 'react-hook-form';
import {
  LAUNCHER_OFFSET_MAX,
  LAUNCHER_PAGE_MAX_LENGTH,
  LAUNCHER_PAGES_MAX,
  LAUNCHER_TEXT_MAX_LENGTH,
} from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { translated } from '../../shared/translated.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input, Textarea } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { pagesProblem } from './launcher.ts';
import { ICONS, SHAPES } from './siteFields.ts';
import type { SiteForm } from './siteForm.ts';

/** The button that opens the widget: its look, and where it is not shown. */
export function LauncherFields({ form: { register, control, formState } }: { form: SiteForm }) {
  const errors = formState.errors.settings?.launcher;
  return (
    <fieldset className="flex min-w-0 flex-col gap-6">
      <legend className="pb-4 text-base font-semibold">{t('Launcher')}</legend>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <Controller
          control={control}
          name="settings.launcher.shape"
          render={({ field }) => (
            <Field label={t('Shape')} error={errors?.shape?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={translated(SHAPES)} />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="settings.launcher.icon"
          render={({ field }) => (
            <Field label={t('Icon')} error={errors?.icon?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={translated(ICONS)} />
            </Field>
          )}
        />
      </div>
      <Field
        label={t('Text of the launcher')}
        hint={t(
          'Leave it empty for the button text in the owner’s settings. Screen readers also read it where it is not shown.',
        )}
        error={errors?.text?.message}
      >
        <Input {...register('settings.launcher.text')} maxLength={LAUNCHER_TEXT_MAX_LENGTH} />
      </Field>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <Field label={t('Distance from the side (pixels)')} error={errors?.side?.message}>
          <Input {...register('settings.launcher.side', pixels)} type="number" min={0} max={LAUNCHER_OFFSET_MAX} />
        </Field>
        <Field label={t('Distance from below (pixels)')} error={errors?.bottom?.message}>
          <Input {...register('settings.launcher.bottom', pixels)} type="number" min={0} max={LAUNCHER_OFFSET_MAX} />
        </Field>
      </div>
      <Checkbox
        {...register('settings.launcher.hideOnPhones')}
        label={t('Hide it on phones')}
        hint={t('Your page can still open the chat with Parley.open().')}
      />
      <Checkbox
        {...register('settings.launcher.hideOffline')}
        label={t('Hide it while offline')}
        hint={t('Visitors then cannot leave a message.')}
      />
      <Controller
        control={control}
        name="settings.launcher.hideOn"
        rules={{ validate: (pages) => pagesProblem(pages) ?? true }}
        render={({ field, fieldState }) => (
          <Field
            label={t('Hide it on pages')}
            hint={t('One per line, up to {max}: pages whose address contains it, like /checkout.', {
              max: LAUNCHER_PAGES_MAX,
            })}
            error={fieldState.error?.message}
          >
            <Textarea
              value={field.value.join('\n')}
              onChange={({ target }) => field.onChange(target.value === '' ? [] : target.value.split('\n'))}
              maxLength={LAUNCHER_PAGES_MAX * (LAUNCHER_PAGE_MAX_LENGTH + 1)}
              spellCheck={false}
              autoCapitalize="none"
            />
          </Field>
        )}
      />
    </fieldset>
  );
}

const pixels = {
  valueAsNumber: true,
  validate: (value: number) =>
    (Number.isInteger(value) && value >= 0 && value <= LAUNCHER_OFFSET_MAX) ||
    t('Enter a whole number from 0 to {max}', { max: LAUNCHER_OFFSET_MAX }),
};
