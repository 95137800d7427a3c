import { Controller, useForm } from 'react-hook-form';
import toast from 'react-hot-toast';
import {
  type ACCOUNT_WIDGET_POSITIONS,
  BUTTON_TEXT_MAX_LENGTH,
  CUSTOMIZATION_DEFAULTS,
  SITE_TEXT_MAX_LENGTH,
  type WidgetSettings,
} from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';
import { translated } from '../../shared/translated.ts';
import { WidgetPreview } from '../../shared/WidgetPreview.tsx';
import { Button } from '../../ui/Button.tsx';
import { ColorField, HEX_COLOR } from '../../ui/ColorField.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSaveSettings } from './api.ts';
import { showFormErrors } from './formErrors.ts';
import { PictureField } from './PictureField.tsx';

const POSITIONS: { value: (typeof ACCOUNT_WIDGET_POSITIONS)[number]; label: string }[] = [
  { value: 'bottom-right', label: msg('Bottom Right') },
  { value: 'bottom-left', label: msg('Bottom Left') },
];

/** What new sites of this account start with, seen on the widget itself while it is changed. */
export function WidgetTab({ widget }: { widget: WidgetSettings }) {
  const form = useForm<WidgetSettings>({ values: widget, resetOptions: { keepDirtyValues: true } });
  const { register, control, watch, setValue, handleSubmit, formState } = form;
  const { errors, isSubmitting: busy, dirtyFields } = formState;
  const save = useSaveSettings();
  const look = watch();

  const submit = handleSubmit(async ({ logo, ...data }) => {
    try {
      const change = { ...data, ...(dirtyFields.logo && { logo }) };
      form.reset((await save.mutateAsync({ section: 'widget', data: change })).widget);
      toast.success(t('Widget settings saved'));
    } catch (failure) {
      showFormErrors(
        form,
        ['title', 'buttonText', 'position', 'primaryColor'],
        failure,
        t('Your widget settings could not be saved.'),
      );
    }
  });

  return (
    <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_auto]">
      <form noValidate onSubmit={submit} className="flex max-w-xl flex-col gap-6">
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
        <PictureField
          label={t('Logo')}
          value={look.logo}
          square={false}
          onChange={(logo) => setValue('logo', logo, { shouldDirty: true })}
        >
          {look.logo ? (
            <img src={look.logo} alt="" className="h-12 max-w-40 rounded-control border object-contain" />
          ) : (
            <span className="text-muted">{t('None')}</span>
          )}
        </PictureField>
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
  return {
    widgetCode: 'preview',
    name: title,
    customization: {
      ...CUSTOMIZATION_DEFAULTS,
      navbarTitle: title,
      color: HEX_COLOR.test(primaryColor) ? primaryColor : CUSTOMIZATION_DEFAULTS.color,
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
