import { Controller } from 'react-hook-form';
import { SITE_TEXT_MAX_LENGTH, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { translated } from '../../shared/translated.ts';
import { ColorField } from '../../ui/ColorField.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input, Textarea } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { FormSettings } from './FormSettings.tsx';
import { LauncherFields } from './LauncherFields.tsx';
import { SitePreview } from './SitePreview.tsx';
import { POSITIONS } from './siteFields.ts';
import type { SiteForm } from './siteForm.ts';

interface CustomizationFieldsProps {
  form: SiteForm;
  site: Site;
  /** The tab is looked at: behind another one nobody needs the widget. */
  active: boolean;
}

/** How the widget looks and what it says, with the widget beside it that follows every key. */
export function CustomizationFields({ form, site, active }: CustomizationFieldsProps) {
  const { register, control, watch, formState } = form;
  const errors = formState.errors.customization;
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_auto]">
      <div className="flex flex-col gap-6">
        <Controller
          control={control}
          name="customization.color"
          rules={{ pattern: { value: /^#[0-9a-f]{6}$/i, message: t('Enter a color like #0088ff') } }}
          render={({ field }) => (
            <ColorField
              label={t('Color')}
              value={field.value}
              onChange={field.onChange}
              error={errors?.color?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="customization.position"
          render={({ field }) => (
            <Field label={t('Position')} error={errors?.position?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={translated(POSITIONS)} />
            </Field>
          )}
        />
        <Field label={t('Navbar title')} error={errors?.navbarTitle?.message}>
          <Input {...register('customization.navbarTitle')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </Field>
        <Field label={t('Welcome message')} error={errors?.welcomeMessage?.message}>
          <Textarea {...register('customization.welcomeMessage')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </Field>
        <Field
          label={t('Offline message')}
          hint={t('Shown while nobody on the team is online.')}
          error={errors?.offlineMessage?.message}
        >
          <Textarea {...register('customization.offlineMessage')} maxLength={SITE_TEXT_MAX_LENGTH} />
        </Field>
        <LauncherFields form={form} />
        <FormSettings form={form} />
      </div>
      {active && <SitePreview site={site} values={watch()} />}
    </div>
  );
}
