import { useState } from 'react';
import {
  type HistoryImport,
  IMPORT_FIELDS,
  type ImportField,
  type ImportPlan,
  REQUIRED_IMPORT_FIELDS,
} from 'server/contract';
import { formatMonthDay, localTimeZone, truncate } from '../../lib/format.ts';
import { failureText } from '../../lib/http.ts';
import { plural, t } from '../../lib/i18n.ts';
import { TimeZoneField } from '../../shared/TimeZoneField.tsx';
import { Button } from '../../ui/Button.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useCancelImport, useRunImport } from './api.ts';
import { Counts } from './Counts.tsx';
import { FIELDS } from './words.ts';

/** No column has this name: names are trimmed. */
const NONE = ' ';
/** Of the values of a column in the list of all. */
const SAMPLES_LENGTH = 36;

interface MappingProps {
  siteId: string;
  /** An import that waits. */
  one: HistoryImport;
}

/** Says which column of the file is what, tries it, and imports the file. */
export function Mapping({ siteId, one }: MappingProps) {
  const [plan, setPlan] = useState<ImportPlan>(
    one.status === 'uploaded' ? { ...one.plan, timeZone: localTimeZone(), dayFirst: isDayFirst() } : one.plan,
  );
  const run = useRunImport(siteId);
  const cancel = useCancelImport(siteId);
  const isChecked = one.status === 'checked' && isSamePlan(plan, one.plan);
  const isComplete = REQUIRED_IMPORT_FIELDS.every((field) => plan.columns[field] !== undefined);
  const start = (dryRun: boolean) => run.mutate({ importId: one._id, ...plan, dryRun });
  const choose = (field: ImportField, column: string) => {
    const { [field]: _, ...others } = plan.columns;
    setPlan({ ...plan, columns: column === NONE ? others : { ...others, [field]: column } });
  };
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p dir="auto" className="truncate font-medium">
          {one.fileName}
        </p>
        <p className="text-muted">
          {one.source === null
            ? plural(one.rows, '{count} row. Which column is what?', '{count} rows. Which column is what?')
            : plural(
                one.rows,
                '{count} row. It looks like an export of {source}: please check the columns.',
                '{count} rows. It looks like an export of {source}: please check the columns.',
                { source: one.source },
              )}
        </p>
      </div>
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
        {IMPORT_FIELDS.map((field) => (
          <ColumnField
            key={field}
            field={field}
            one={one}
            column={plan.columns[field]}
            onChoose={(column) => choose(field, column)}
          />
        ))}
      </div>
      <Times plan={plan} onChange={setPlan} />
      {isChecked && (
        <section aria-label={t('What would be imported')}>
          <Counts counts={one.counts} />
        </section>
      )}
      {run.error && (
        <p role="alert" className="text-danger">
          {failureText(run.error, t('The import could not be started.'))}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="ghost" busy={cancel.isPending} onClick={() => cancel.mutate(one._id)}>
          {t('Cancel')}
        </Button>
        {isChecked && one.counts.chats > 0 ? (
          <Button busy={run.isPending} onClick={() => start(false)}>
            {plural(one.counts.chats, 'Import {count} chat', 'Import {count} chats')}
          </Button>
        ) : (
          <Button disabled={!isComplete} busy={run.isPending} onClick={() => start(true)}>
            {t('Check the file')}
          </Button>
        )}
      </div>
    </div>
  );
}

function isSamePlan(a: ImportPlan, b: ImportPlan): boolean {
  const isSame = IMPORT_FIELDS.every((field) => a.columns[field] === b.columns[field]);
  return isSame && a.timeZone === b.timeZone && a.dayFirst === b.dayFirst;
}

interface ColumnFieldProps {
  field: ImportField;
  one: HistoryImport;
  column: string | undefined;
  onChoose: (column: string) => void;
}

function ColumnField({ field, one: { columns }, column, onChoose }: ColumnFieldProps) {
  const isRequired = REQUIRED_IMPORT_FIELDS.includes(field);
  const { label, hint } = FIELDS[field];
  const samples = columns.find(({ name }) => name === column)?.samples ?? [];
  const options = [
    ...(isRequired ? [] : [{ value: NONE, label: t('Not in the file') }]),
    ...columns.map(({ name, samples: some }) => ({
      value: name,
      label: name,
      hint: truncate(some.join(' · '), SAMPLES_LENGTH),
    })),
  ];
  return (
    <Field
      label={isRequired ? t(label) : t('{label} (optional)', { label: t(label) })}
      hint={
        <>
          {hint && <span className="block">{t(hint)}</span>}
          {samples.length > 0 && (
            <span dir="auto" className="block truncate text-text">
              {samples.join(' · ')}
            </span>
          )}
        </>
      }
    >
      <Select
        value={column ?? (isRequired ? '' : NONE)}
        onValueChange={onChoose}
        options={options}
        placeholder={t('Choose a column')}
      />
    </Field>
  );
}

function Times({ plan, onChange }: { plan: ImportPlan; onChange: (plan: ImportPlan) => void }) {
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TimeZoneField
        value={plan.timeZone}
        onChange={(timeZone) => onChange({ ...plan, timeZone })}
        hint={t('For times in the file that name none.')}
      />
      <Field label={t('Meaning of {date}', { date: '03/04/2025' })}>
        <Select
          value={plan.dayFirst ? 'day' : 'month'}
          onValueChange={(first) => onChange({ ...plan, dayFirst: first === 'day' })}
          options={[
            { value: 'day', label: formatMonthDay('2025-04-03') },
            { value: 'month', label: formatMonthDay('2025-03-04') },
          ]}
        />
      </Field>
    </div>
  );
}

/** Whether dates begin with the day where the reader is. */
function isDayFirst(): boolean {
  const parts = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'numeric' }).formatToParts();
  return parts.find(({ type }) => type === 'day' || type === 'month')?.type === 'day';
}
