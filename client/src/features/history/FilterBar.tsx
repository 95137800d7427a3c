import { isComposing } from 'browser/isComposing';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useDepartmentsOf } from '#features/departments';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { useSites } from '../../shared/sites.ts';
import { Button } from '../../ui/Button.tsx';
import { DateField } from '../../ui/DateField.tsx';
import { Field } from '../../ui/Field.tsx';
import { Input } from '../../ui/Input.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSupporters } from './api.ts';
import type { FilterName } from './historyUrl.ts';

/** Stands for 'not filtered' in a select, whose values may not be empty. */
const ALL = 'all';
const TYPED_AFTER_MS = 300;

interface FiltersProps {
  id: string;
  values: Record<FilterName, string>;
  isFiltered: boolean;
  onChange: (changes: Partial<Record<FilterName, string>>) => void;
  onClear: () => void;
}

export function FilterBar({ id, values, isFiltered, onChange, onClear }: FiltersProps) {
  const sites = useSites();
  const supporters = useSupporters();
  const departments = useDepartmentsOf(values.siteId ? [values.siteId] : (sites.data ?? []).map(({ _id }) => _id));
  const hasDepartments = departments.length > 0 || values.department !== '';
  const choice = (name: FilterName) => (value: string) => onChange({ [name]: value === ALL ? '' : value });
  return (
    <section
      id={id}
      aria-label={t('Filters')}
      className={cx(
        'grid grid-cols-2 gap-4 rounded-card border bg-surface p-4 sm:p-5 lg:grid-cols-3',
        hasDepartments ? 'xl:grid-cols-[1.4fr_repeat(5,1fr)]' : 'xl:grid-cols-[1.6fr_repeat(4,1fr)]',
      )}
    >
      <div className="col-span-2 lg:col-span-1">
        <Field label={t('Search')}>
          <SearchInput value={values.search} onChange={(search) => onChange({ search })} />
        </Field>
      </div>
      <div className="max-lg:col-span-2 sm:max-lg:col-span-1">
        <Field label={t('Website')}>
          <Select
            value={values.siteId || ALL}
            placeholder={t('Unknown')}
            // A department is of one website.
            onValueChange={(siteId) => onChange({ siteId: siteId === ALL ? '' : siteId, department: '' })}
            options={[
              { value: ALL, label: t('All Websites') },
              ...(sites.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
          />
        </Field>
        <Missing what={t('The websites could not be loaded.')} of={sites} />
      </div>
      <div className="max-lg:col-span-2 sm:max-lg:col-span-1">
        <Field label={t('Supporter')}>
          <Select
            value={values.supporter || ALL}
            placeholder={values.supporter}
            onValueChange={choice('supporter')}
            options={[
              { value: ALL, label: t('All Supporters') },
              ...(supporters.data ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
            ]}
          />
        </Field>
        <Missing what={t('The supporters could not be loaded.')} of={supporters} />
      </div>
      {hasDepartments && (
        <div className="max-lg:col-span-2">
          <Field label={t('Department')}>
            <Select
              value={values.department || ALL}
              placeholder={t('Unknown')}
              onValueChange={choice('department')}
              options={[
                { value: ALL, label: t('Any, or none') },
                { value: 'none', label: t('No department') },
                ...departments.map(({ _id, name }) => ({ value: _id, label: name })),
              ]}
            />
          </Field>
        </div>
      )}
      <div className="max-[359px]:col-span-2">
        <DateField
          label={t('Start date')}
          value={values.startDate}
          onChange={(startDate) => onChange({ startDate })}
          {...(values.endDate && { max: values.endDate })}
        />
      </div>
      <div className="max-[359px]:col-span-2">
        <DateField
          label={t('End date')}
          value={values.endDate}
          onChange={(endDate) => onChange({ endDate })}
          {...(values.startDate && { min: values.startDate })}
        />
      </div>
      {values.startDate !== '' && values.endDate !== '' && values.endDate < values.startDate && (
        <p role="alert" className="col-span-full text-danger">
          {t('The end date is before the start date.')}
        </p>
      )}
      {isFiltered && (
        <div className="col-span-full">
          <Button variant="secondary" size="sm" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        </div>
      )}
    </section>
  );
}

interface MissingProps {
  what: string;
  of: { data: unknown; isError: boolean; refetch: () => Promise<unknown> };
}

/** The error below a select whose options could not be loaded. */
function Missing({ what, of: { data, isError, refetch } }: MissingProps) {
  if (!isError || data) return null;
  return (
    <p role="alert" className="pt-1.5 text-xs text-danger">
      {what}{' '}
      <button type="button" className="font-medium underline" onClick={() => void refetch()}>
        {t('Try again')}
      </button>
    </p>
  );
}

function SearchInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const send = () => {
    sent.current = typed;
    onChange(typed);
  };
  useEffect(() => {
    // Follow changes from outside, such as 'Clear filters' or the back button, but not the echo of an older input.
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(send, TYPED_AFTER_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div className="relative">
      <Search size={16} aria-hidden className="pointer-events-none absolute top-3 start-3 text-muted" />
      <Input
        type="search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Enter' && !isComposing(event.nativeEvent) && send()}
        placeholder={t('Name, email or message')}
        autoComplete="off"
        className="ps-9"
      />
    </div>
  );
}
