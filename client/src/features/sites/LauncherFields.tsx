import { Controller } from 'react-hook-form';
import {
  LAUNCHER_OFFSET_MAX,
  LAUNCHER_PAGE_MAX_LENGTH,
  LAUNCHER_PAGES_MAX,
  LAUNCHER_TEXT_MAX_LENGTH,
  type LauncherIcon,
  type LauncherShape,
} from 'server/contract';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input, Textarea } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { pagesProblem } from './launcher.ts';
import type { SiteForm } from './siteForm.ts';

const SHAPES: { value: LauncherShape; label: string }[] = [
  { value: 'pill', label: 'Pill with a text' },
  { value: 'round', label: 'Round, icon only' },
];

const ICONS: { value: LauncherIcon; label: string }[] = [
  { value: 'logo', label: 'Parley' },
  { value: 'bubble', label: 'Speech bubble' },
  { value: 'headset', label: 'Headset' },
  { value: 'question', label: 'Question mark' },
  { value: 'envelope', label: 'Envelope' },
  { value: 'heart', label: 'Heart' },
];

/** The button that opens the widget: its look, and where it is not shown. */
export function LauncherFields({ form: { register, control, formState } }: { form: SiteForm }) {
  const errors = formState.errors.settings?.launcher;
  return (
    <fieldset className="flex min-w-0 flex-col gap-6">
      <legend className="pb-4 text-base font-semibold">Launcher</legend>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <Controller
          control={control}
          name="settings.launcher.shape"
          render={({ field }) => (
            <Field label="Shape" error={errors?.shape?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={SHAPES} />
            </Field>
          )}
        />
        <Controller
          control={control}
          name="settings.launcher.icon"
          render={({ field }) => (
            <Field label="Icon" error={errors?.icon?.message}>
              <Select value={field.value} onValueChange={field.onChange} options={ICONS} />
            </Field>
          )}
        />
      </div>
      <Field
        label="Text of the launcher"
        hint="Leave it empty for the button text in the owner’s settings. Screen readers also read it where it is not shown."
        error={errors?.text?.message}
      >
        <Input {...register('settings.launcher.text')} maxLength={LAUNCHER_TEXT_MAX_LENGTH} />
      </Field>
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <Field label="Distance from the side (pixels)" error={errors?.side?.message}>
          <Input {...register('settings.launcher.side', pixels)} type="number" min={0} max={LAUNCHER_OFFSET_MAX} />
        </Field>
        <Field label="Distance from below (pixels)" error={errors?.bottom?.message}>
          <Input {...register('settings.launcher.bottom', pixels)} type="number" min={0} max={LAUNCHER_OFFSET_MAX} />
        </Field>
      </div>
      <Checkbox
        {...register('settings.launcher.hideOnPhones')}
        label="Hide it on phones"
        hint="Your page can still open the chat with Parley.open()."
      />
      <Checkbox
        {...register('settings.launcher.hideOffline')}
        label="Hide it while offline"
        hint="Visitors then cannot leave a message."
      />
      <Controller
        control={control}
        name="settings.launcher.hideOn"
        rules={{ validate: (pages) => pagesProblem(pages) ?? true }}
        render={({ field, fieldState }) => (
          <Field
            label="Hide it on pages"
            hint={`One per line, up to ${LAUNCHER_PAGES_MAX}: pages whose address contains it, like /checkout.`}
            error={fieldState.error?.message}
          >
            <Textarea
              value={field.value.join('\n')}
              onChange={({ target }) => field.onChange(target.value.split('\n'))}
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
    `Enter a whole number from 0 to ${LAUNCHER_OFFSET_MAX}`,
};
