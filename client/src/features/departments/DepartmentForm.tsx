import { Controller } from 'react-hook-form';
import { can, DEPARTMENT_NAME_MAX_LENGTH, type Department, type DepartmentBody, type Site } from 'server/contract';
import { drafts, endDraft } from '../../lib/drafts.ts';
import { ApiError, failureText } from '../../lib/http.ts';
import { plural, t } from '../../lib/i18n.ts';
import { discardDraft } from '../../shared/discardDraft.ts';
import { OfficeHoursField } from '../../shared/officeHours/OfficeHoursField.tsx';
import { hoursProblem } from '../../shared/officeHours/officeHours.ts';
import { LeftChanges } from '../../shared/settingsForm/LeaveGuard.tsx';
import { useDraftForm } from '../../shared/useDraftForm.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { FormButtons } from '../../ui/FormButtons.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { useChangeDepartments } from './api.ts';

/** The choices for how many minutes others wait before they may help. */
const HELP_AFTER_MINUTES = [1, 2, 5, 10, 15, 30, 60];
const NEVER = 'never';

type Values = Required<DepartmentBody>;

interface FormProps {
  site: Site;
  /** Left out: a new one. */
  department?: Department;
  onDone: () => void;
}

/** Adds or changes a department. */
export function DepartmentForm({ site, department, onDone }: FormProps) {
  const changing = useChangeDepartments(site._id);
  const name = `department:${site._id}:${department?._id ?? 'new'}`;
  const { form, draftKey } = useDraftForm<Values>(name, valuesOf(department));
  const { control, register, handleSubmit, setError, formState } = form;
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    const sent = drafts.read(draftKey);
    try {
      await changing.mutateAsync(
        department
          ? { do: 'change', id: department._id, body: { ...values, rev: department.rev } }
          : { do: 'add', body: values },
      );
      endDraft(draftKey, sent);
      onDone();
    } catch (failure) {
      const at = failure instanceof ApiError && failure.code === 'DEPARTMENT_EXISTS' ? 'name' : 'root';
      setError(at, { message: refusal(failure) });
    }
  });
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5 pt-4">
      <Field label={t('Name')} error={errors.name?.message}>
        <Input
          maxLength={DEPARTMENT_NAME_MAX_LENGTH}
          placeholder={t('Orders')}
          {...register('name', { validate: (name) => name.trim() !== '' || t('Enter a name') })}
        />
      </Field>
      {/* Not first: there, its button would have the focus. */}
      <LeftChanges draftKey={draftKey} />
      <Controller
        control={control}
        name="members"
        render={({ field: { value, onChange } }) => <MembersField site={site} value={value} onChange={onChange} />}
      />
      <Controller
        control={control}
        name="helpAfterMinutes"
        render={({ field: { value, onChange } }) => (
          <Field label={t('Help from others')} hint={t('When a chat has waited so long for the members.')}>
            <Select
              value={String(value ?? NEVER)}
              onValueChange={(next) => onChange(next === NEVER ? null : Number(next))}
              options={helpOptions(department?.helpAfterMinutes ?? null)}
            />
          </Field>
        )}
      />
      <Checkbox
        label={t('Visitors can choose it')}
        hint={t('The widget shows it as a button before a chat begins.')}
        {...register('visible')}
      />
      <Controller
        control={control}
        name="hours"
        rules={{ validate: (hours) => hoursProblem(hours) ?? true }}
        render={({ field, fieldState }) => (
          <OfficeHoursField
            label={t('Own office hours')}
            hint={t('Otherwise the office hours of the website.')}
            value={field.value}
            onChange={field.onChange}
            error={fieldState.error?.message}
          />
        )}
      />
      {errors.root && (
        <p role="alert" className="font-medium text-danger">
          {errors.root.message}
        </p>
      )}
      <FormButtons
        label={department ? t('Save') : t('Add department')}
        busy={isSubmitting}
        onCancel={() => {
          discardDraft(draftKey);
          onDone();
        }}
      />
    </form>
  );
}

interface MembersProps {
  site: Site;
  value: string[];
  onChange: (members: string[]) => void;
}

/** Who of the site's team is in the department: those who may answer chats. */
function MembersField({ site, value, onChange }: MembersProps) {
  const repliers = site.team.filter(({ role }) => can({ role, isOwner: false }, 'chats.reply'));
  return (
    <fieldset className="min-w-0">
      <legend className="pb-2 font-medium">{t('Members')}</legend>
      <div className="flex max-h-56 flex-col gap-2 overflow-y-auto">
        {repliers.map(({ userId: { _id, name } }) => (
          <Checkbox
            key={_id}
            label={name}
            checked={value.includes(_id)}
            onChange={({ target }) => onChange(target.checked ? [...value, _id] : value.filter((each) => each !== _id))}
          />
        ))}
      </div>
    </fieldset>
  );
}

function valuesOf(department?: Department): Values {
  const { name = '', members = [], hours = null, visible = true, helpAfterMinutes = 5 } = department ?? {};
  return { name, members, hours, visible, helpAfterMinutes };
}

function refusal(failure: unknown): string {
  if (failure instanceof ApiError && failure.code === 'SETTINGS_CHANGED')
    return t('Somebody else has changed this department meanwhile. Close this and look at it again.');
  return failureText(failure, t('The department could not be saved.'));
}

/** When others are asked to help, as one reads it. @param minutes null: never */
export function helpText(minutes: number | null): string {
  return minutes === null
    ? t('Others are never asked')
    : plural(minutes, 'Others are asked after {count} minute', 'Others are asked after {count} minutes');
}

/** The choices, with the present one: programs may set any number. */
function helpOptions(now: number | null) {
  const minutes = [...new Set([...HELP_AFTER_MINUTES, ...(now === null ? [] : [now])])].sort((a, b) => a - b);
  return [...minutes, null].map((each) => ({ value: String(each ?? NEVER), label: helpText(each) }));
}
