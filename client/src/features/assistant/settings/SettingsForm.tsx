import { useMemo } from 'react';
import { FormProvider, type UseFormReturn } from 'react-hook-form';
import toast from 'react-hot-toast';
import {
  ARTICLE_LANGUAGES,
  ASSISTANT_NAME_MAX_LENGTH,
  ASSISTANT_TOKENS_MAX,
  type AssistantState,
  can,
  type Site,
} from 'server/contract';
import { inMain, languageName, useHelpCenter } from '#features/articles';
import { useAuth } from '../../../lib/auth.tsx';
import { failureText } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { LeftChanges } from '../../../shared/settingsForm/LeaveGuard.tsx';
import { plainText, SettingsConflicts } from '../../../shared/settingsForm/SettingsConflicts.tsx';
import { useSettingsForm } from '../../../shared/settingsForm/useSettingsForm.ts';
import { translated } from '../../../shared/translated.ts';
import { Button } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { Select } from '../../../ui/Select.tsx';
import { useAssistant, usePatchAssistant } from '../api.ts';
import {
  type AssistantValues,
  assistantDraftKey,
  FIELDS,
  LABELS,
  patchOf,
  STEPS,
  TIMES,
  valuesOf,
} from './assistantForm.ts';
import { ManyChoice } from './ManyChoice.tsx';
import { StepChoice } from './StepChoice.tsx';
import { Today } from './Today.tsx';

/** How the assistant of a site works. */
export function SettingsForm({ site, state }: { site: Site; state: AssistantState }) {
  const { user } = useAuth();
  const draftKey = assistantDraftKey(user?._id ?? '', site._id);
  const patch = usePatchAssistant(site._id);
  const { refetch } = useAssistant(site._id);
  const { data: help } = useHelpCenter(site._id);
  const settings = useSettingsForm({
    draftKey,
    values: useStableValues(state),
    fields: FIELDS,
    save: (values, base, changed) => patch.mutateAsync(patchOf(values, base, changed)),
    reload: async () => valuesOf((await refetch({ throwOnError: true })).data ?? state),
    onSaved: () => void toast.success(t('Saved')),
    onFailed: (failure, first) => {
      if (first) form.setFocus(first);
      else toast.error(failureText(failure, t('The settings could not be saved.')));
    },
  });
  const form: UseFormReturn<AssistantValues> = settings.form;
  const { errors, isSubmitting } = form.formState;
  const [step, when, languages, categories] = form.watch(['step', 'when', 'languages', 'categories']);
  const set = { shouldDirty: true };
  const times = translated(TIMES);
  const shelves =
    help?.categories.map(({ id, name }) => ({ value: id, label: inMain(name, help.language) ?? '' })) ?? [];
  const textOf = (field: string, value: unknown) => {
    const known = [...STEPS, ...TIMES].find((each) => each.value === value);
    if (known) return t(known.label);
    if (!Array.isArray(value)) return plainText(value);
    const name = (each: string) =>
      field === 'languages' ? languageName(each) : (shelves.find((shelf) => shelf.value === each)?.label ?? each);
    return value.length === 0 ? t('All') : value.map(name).join('\n');
  };
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={settings.submit} className="flex max-w-2xl flex-col gap-7">
        <LeftChanges draftKey={draftKey} />
        <fieldset disabled={!can(site, 'sites.edit')} className="flex min-w-0 flex-col gap-7">
          <StepChoice />
          {step === 'answer' && (
            <>
              <Field label={t(LABELS.when)} hint={times.find(({ value }) => value === when)?.hint}>
                <Select value={when} onValueChange={(value) => form.setValue('when', value, set)} options={times} />
              </Field>
              <Field
                label={t(LABELS.name)}
                hint={t('Visitors see it beside the robot mark. It always says first that it is automatic.')}
                error={errors.name?.message}
              >
                <Input
                  {...form.register('name')}
                  dir="auto"
                  placeholder={t('Assistant')}
                  maxLength={ASSISTANT_NAME_MAX_LENGTH}
                  autoComplete="off"
                />
              </Field>
              <ManyChoice
                label={t(LABELS.languages)}
                hint={t('All. Visitors who write in others get a person.')}
                options={ARTICLE_LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
                chosen={languages}
                onChoose={(chosen) => form.setValue('languages', chosen, set)}
              />
            </>
          )}
          {step !== 'links' && shelves.length > 0 && (
            <ManyChoice
              label={t(LABELS.categories)}
              hint={t('All that are published.')}
              options={shelves}
              chosen={categories}
              onChoose={(chosen) => form.setValue('categories', chosen, set)}
            />
          )}
          {step !== 'links' && (
            <Field
              label={t(LABELS.tokensPerDay)}
              hint={t(
                'Empty: as many as the server has left. When they are used up, people answer until the next day.',
              )}
              error={errors.tokensPerDay?.message}
            >
              <Input
                {...form.register('tokensPerDay', {
                  validate: (text) => isTokens(text) || t('Enter a whole number'),
                })}
                dir="ltr"
                inputMode="numeric"
                autoComplete="off"
                className="max-w-48"
              />
            </Field>
          )}
        </fieldset>
        {step !== 'links' && <Today state={state} />}
        <SettingsConflicts
          settings={settings}
          labelOf={(field) => t(LABELS[field as keyof typeof LABELS])}
          textOf={textOf}
        />
        {can(site, 'sites.edit') && (
          <Button type="submit" busy={isSubmitting} disabled={!settings.isDirty} className="self-start">
            {t('Save Changes')}
          </Button>
        )}
      </form>
    </FormProvider>
  );
}

const isTokens = (text: string) => /^\d{0,10}$/.test(text) && Number(text) <= ASSISTANT_TOKENS_MAX;

/** The form's values; the same object while only the day's tokens change. */
function useStableValues(state: AssistantState): AssistantValues {
  const text = JSON.stringify(valuesOf(state));
  return useMemo(() => JSON.parse(text) as AssistantValues, [text]);
}
