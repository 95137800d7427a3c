import { Controller, useWatch } from 'react-hook-form';
import { RULE_NAME_MAX_LENGTH, type Rule, type RuleEvent, type Site } from 'server/contract';
import { drafts, endDraft } from '../../lib/drafts.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { t } from '../../lib/i18n.ts';
import { discardDraft } from '../../shared/discardDraft.ts';
import { LeftChanges } from '../../shared/settingsForm/LeaveGuard.tsx';
import { useDraftForm } from '../../shared/useDraftForm.ts';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { ActionFields } from './ActionFields.tsx';
import { useChangeRules } from './api.ts';
import { ConditionFields } from './ConditionFields.tsx';
import { RuleTrial } from './RuleTrial.tsx';
import type { Targets } from './targets.ts';
import { durations, EVENTS, type RuleValues } from './words.ts';

/** The choices for how many minutes a visitor has had no answer. */
const UNANSWERED_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 1_440];
const USUAL_MINUTES = 10;

interface FormProps {
  site: Site;
  targets: Targets;
  /** Left out: a new one. */
  rule?: Rule | undefined;
  /** What a new one begins with. */
  values: RuleValues;
  onDone: () => void;
}

/** Adds or changes a rule. */
export function RuleForm({ site, targets, rule, values: base, onDone }: FormProps) {
  const changing = useChangeRules(site._id);
  // Of a new one, each example has a draft of its own.
  const { form, draftKey } = useDraftForm(`rule:${site._id}:${rule?._id ?? `new ${base.name}`}`, base);
  const { control, register, handleSubmit, setError, setValue, formState } = form;
  const { errors, isSubmitting } = formState;
  const values = useWatch({ control }) as RuleValues;
  const { event, minutes } = values;
  const submit = handleSubmit(async (body) => {
    const sent = drafts.read(draftKey);
    try {
      await changing.mutateAsync(
        rule ? { do: 'change', id: rule._id, body: { ...body, rev: rule.rev } } : { do: 'add', body },
      );
      endDraft(draftKey, sent);
      onDone();
    } catch (failure) {
      setError('root', { message: refusal(failure) });
    }
  });
  const wait = (next: RuleEvent) => {
    const { words, score, ...others } = values.conditions;
    const keepsWords = words && next !== 'closed' && next !== 'rated';
    setValue('event', next);
    setValue('minutes', next === 'unanswered' ? (minutes ?? USUAL_MINUTES) : null);
    setValue('conditions', {
      ...others,
      ...(keepsWords && { words }),
      ...(next === 'rated' && score !== undefined && { score }),
    });
  };
  return (
    <form noValidate onSubmit={submit} className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 flex-col gap-6 overflow-y-auto p-5">
        <Field label={t('Name')} error={errors.name?.message}>
          <Input
            maxLength={RULE_NAME_MAX_LENGTH}
            placeholder={t('Invoices')}
            {...register('name', { validate: (name) => name.trim() !== '' || t('Enter a name') })}
          />
        </Field>
        <LeftChanges draftKey={draftKey} />
        <Field label={t('When')}>
          <Select
            value={event}
            onValueChange={wait}
            options={Object.entries(EVENTS).map(([value, label]) => ({ value: value as RuleEvent, label: t(label) }))}
          />
        </Field>
        {event === 'unanswered' && (
          <Field label={t('For')}>
            <Select
              value={String(minutes ?? USUAL_MINUTES)}
              onValueChange={(next) => setValue('minutes', Number(next))}
              options={durations(UNANSWERED_MINUTES, minutes)}
            />
          </Field>
        )}
        <Controller
          control={control}
          name="conditions"
          rules={{ validate: (conditions) => !hasGap(conditions) || t('Fill in each condition, or remove it.') }}
          render={({ field, fieldState }) => (
            <ConditionFields
              event={event}
              value={field.value}
              onChange={field.onChange}
              targets={targets}
              error={fieldState.error?.message}
            />
          )}
        />
        <Controller
          control={control}
          name="actions"
          rules={{ validate: (actions) => actionsProblem(actions) ?? true }}
          render={({ field, fieldState }) => (
            <ActionFields
              siteId={site._id}
              value={field.value}
              onChange={field.onChange}
              targets={targets}
              error={fieldState.error?.message}
            />
          )}
        />
        <RuleTrial siteId={site._id} values={values} />
      </div>
      <div className="flex flex-col gap-3 border-t px-5 py-4">
        {errors.root && (
          <p role="alert" className="font-medium text-danger">
            {errors.root.message}
          </p>
        )}
        <FormButtons
          label={rule ? t('Save') : t('Add rule')}
          busy={isSubmitting}
          onCancel={() => {
            discardDraft(draftKey);
            onDone();
          }}
        />
      </div>
    </form>
  );
}

/** A condition that was added and says nothing. */
function hasGap({ page, languages, departments, attribute, words }: RuleValues['conditions']): boolean {
  const isEmpty = (text: string | undefined) => text?.trim() === '';
  const isEmptyList = (list: string[] | undefined) => list?.length === 0;
  return [page, attribute?.name, attribute?.value].some(isEmpty) || [languages, departments, words].some(isEmptyList);
}

function actionsProblem(actions: RuleValues['actions']): string | null {
  if (actions.length === 0) return t('Add what the rule does.');
  const hasHole = actions.some((action) => Object.values(action).some((value) => value === '' || isEmptyList(value)));
  return hasHole ? t('Choose what each action is about, or remove it.') : null;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function refusal(failure: unknown): string {
  if (failure instanceof ApiError && failure.code === 'SETTINGS_CHANGED')
    return t('Somebody else has changed this rule meanwhile. Close this and look at it again.');
  return failureText(failure, t('The rule could not be saved.'));
}
