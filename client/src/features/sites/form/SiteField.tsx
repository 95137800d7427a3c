import type { ComponentProps, ReactNode } from 'react';
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form';
import { t } from '../../../lib/i18n.ts';
import { translated } from '../../../shared/translated.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Textarea } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { labelOf } from './siteFields.ts';
import type { SiteValues } from './siteForm.ts';

interface SiteFieldProps<Value = unknown> {
  name: FieldPathByValue<SiteValues, Value>;
  hint?: ReactNode;
}

/** A setting of a site, with its label and what is wrong with it. All of this file stand in the site's `FormProvider`. */
export function SiteField({ name, hint, children }: SiteFieldProps & { children: ReactNode }) {
  const { getFieldState, formState } = useFormContext<SiteValues>();
  return (
    <Field
      label={labelOf(name)}
      hint={hint}
      error={getFieldState(name, formState).error?.message as string | undefined}
    >
      {children}
    </Field>
  );
}

/** A setting that is on or off. */
export function SiteCheckbox({ name, hint }: SiteFieldProps<boolean>) {
  const { register } = useFormContext<SiteValues>();
  return <Checkbox {...register(name)} label={labelOf(name)} hint={hint} />;
}

type SiteSelectProps = SiteFieldProps<string> & { options: { value: string; label: string; hint?: string }[] };

/** A setting that is one of a few. */
export function SiteSelect({ options, ...props }: SiteSelectProps) {
  return (
    <Controller<SiteValues, typeof props.name>
      name={props.name}
      render={({ field }) => (
        <SiteField {...props}>
          <Select value={field.value} onValueChange={field.onChange} options={translated(options)} />
        </SiteField>
      )}
    />
  );
}

interface SiteLinesProps
  extends SiteFieldProps<string[]>,
    Pick<ComponentProps<'textarea'>, 'placeholder' | 'maxLength'> {
  /** What is wrong with the lines, in a sentence. */
  problemOf?: (lines: string[]) => string | null;
}

/** A setting that is a list of texts, one in each line. */
export function SiteLines({ name, hint, problemOf, ...input }: SiteLinesProps) {
  return (
    <Controller<SiteValues, typeof name>
      name={name}
      rules={{ validate: (lines) => problemOf?.(lines) ?? true }}
      render={({ field }) => (
        <SiteField name={name} hint={hint}>
          <Textarea
            dir="ltr"
            value={field.value.join('\n')}
            onChange={({ target }) => field.onChange(target.value === '' ? [] : target.value.split('\n'))}
            spellCheck={false}
            autoCapitalize="none"
            {...input}
          />
        </SiteField>
      )}
    />
  );
}

/** The rules of a field for a whole number from 0. */
export function whole(max: number) {
  return {
    valueAsNumber: true,
    validate: (value: number) =>
      (Number.isInteger(value) && value >= 0 && value <= max) || t('Enter a whole number from 0 to {max}', { max }),
  };
}
