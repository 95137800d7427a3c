import { Controller } from 'react-hook-form';
import {
  type ACCOUNT_WIDGET_POSITIONS,
  BUTTON_TEXT_MAX_LENGTH,
  CUSTOMIZATION_DEFAULTS,
  launcherColors,
  SITE_TEXT_MAX_LENGTH,
  type WidgetSettings,
} from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';
import { plainText, SettingsConflicts } from '../../shared/settingsForm/SettingsConflicts.tsx';
import { translated } from '../../shared/translated.ts';
import { WidgetPreview } from '../../shared/WidgetPreview.tsx';
import { Button } from '../../ui/Button.tsx';
import { ColorField, HEX_COLOR } from '../../ui/ColorField.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { PictureField } from './PictureField.tsx';
import { useAccountForm } from './useAccountForm.ts';

const POSITIONS: { value: (typeof ACCOUNT_WIDGET_POSITIONS)[number]; label: string }[] = [
  { value: 'bottom-right', label: msg('Bottom Right') },
  { value: 'bottom-left', label: msg('Bottom Left') },
];

const LABELS: Record<keyof WidgetSettings, string> = {
  title: msg('Title'),
  buttonText: msg('Button text'),
  position: msg('Position'),
  primaryColor: msg('Primary color'),
  logo: msg('Logo'),
};
const FIELDS = Object.keys(LABELS) as (keyof WidgetSettings)[];

/** What new sites of this account start with, seen on the widget itself while it is changed. */
export function WidgetTab({ widget }: { widget: WidgetSettings }) {
  const settings = useAccountForm<WidgetSettings>({
    section: 'widget',
    values: widget,
    fields: FIELDS,
    saved: t('Widget settings saved'),
    failed: t('Your widget settings could not be saved.'),
  });
  const { register, control, watch, setValue, formState } = settings.form;
  const { errors, isSubmitting: busy } = formState;
  const look = watch();

  return (
    <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_auto]">
      <form noValidate onSubmit={settings.submit} className="flex max-w-xl flex-col gap-6">
        <p className="text-muted">
          {t(
            'New websites start with these settings. Button text and logo apply to all your websites at once; everything else is set for each website.',
          )}
        </p>
        <Field label={t('Title')} error={errors.title?.message}>
          <Input
            maxLength={SITE_TEXT_MAX_LENGTH}
            {...register('title', { validate: (title) => title.trim() !== '' || t('Enter a title') })}
          />
        </Field>
        <Field label={t('Button text')} error={errors.buttonText?.message}>
          <Input
            maxLength={BUTTON_TEXT_MAX_LENGTH}
            {...register('buttonText', { validate: (text) => text.trim() !== '' || t('Enter a button text') })}
          />
        </Field>
        <Controller
          control={control}
          name="position"
          render={({ field }) => (
            <Field label={t('Position')} error={errors.position?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={translated(POSITIONS)} />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="primaryColor"
          rules={{ pattern: { value: HEX_COLOR, message: t('Enter a color like #3B82F6') } }}
          render={({ field }) => (
            <ColorField
              label={t('Primary color')}
              value={field.value}
              onChange={field.onChange}
              error={errors.primaryColor?.message}
            />
          )}
        />
        <PictureField label={t('Logo')} value={look.logo} square={false} onChange={(logo) => setValue('logo', logo)}>
          {look.logo ? (
            <img src={look.logo} alt="" className="h-12 max-w-40 rounded-control border object-contain" />
          ) : (
            <span className="text-muted">{t('None')}</span>
          )}
        </PictureField>
        <SettingsConflicts
          settings={settings}
          labelOf={(field) => t(LABELS[field as keyof WidgetSettings])}
          textOf={(field, value) =>
            field === 'position' ? t(POSITIONS.find((each) => each.value === value)?.label ?? '') : plainText(value)
          }
        />
        <div>
          <Button type="submit" busy={busy}>
            {busy ? t('Saving...') : t('Save Widget Settings')}
          </Button>
        </div>
      </form>
      <section aria-label={t('Preview')} className="flex flex-col gap-3">
        <h2 className="font-medium">{t('Preview')}</h2>
        <WidgetPreview config={previewOf(look)} />
      </section>
    </div>
  );
}

function previewOf({ title, buttonText, position, primaryColor, logo }: WidgetSettings) {
  const color = HEX_COLOR.test(primaryColor) ? primaryColor : CUSTOMIZATION_DEFAULTS.color;
  return {
    widgetCode: 'preview',
    name: title,
    colors: launcherColors(color),
    customization: {
      ...CUSTOMIZATION_DEFAULTS,
      navbarTitle: title,
      color,
      position: position === 'bottom-left' ? ('left' as const) : ('right' as const),
    },
    preChat: 'off' as const,
    privacyUrl: null,
    buttonText,
    logo,
    online: true,
    usualReplyMinutes: null,
    mail: true,
    visitorPages: false,
  };
}
