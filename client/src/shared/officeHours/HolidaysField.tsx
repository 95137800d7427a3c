import { ChevronRight, Plus, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { HOLIDAY_NAME_MAX_LENGTH, type Holiday, type OfficeHours } from 'server/contract';
import { formatCalendarDay, localTimeZone } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Field } from '../../ui/Field.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import {
  alwaysOpen,
  type HolidayRow,
  holidayProblem,
  inOrder,
  isAlwaysOpen,
  todayIn,
  withHolidays,
  withoutHoliday,
} from './holidays.ts';
import { ImportHolidays } from './ImportHolidays.tsx';

interface HolidaysFieldProps {
  hours: OfficeHours | null;
  onChange: (hours: OfficeHours) => void;
}

/** The days on which a site is closed. A site without office hours gets some that are open around the clock with its first one. */
export function HolidaysField({ hours, onChange }: HolidaysFieldProps) {
  const used = hours ?? alwaysOpen(localTimeZone());
  const { holidays = [], timeZone } = used;
  const today = todayIn(timeZone);
  const rows = inOrder(holidays, today);
  const past = rows.filter(({ next }) => next === null);
  const heading = useRef<HTMLHeadingElement>(null);
  const add = (more: Holiday[]) => onChange(withHolidays(used, more));
  const remove = (at: number) => {
    onChange(withoutHoliday(used, at));
    // The button that was pressed is gone, and a keyboard would be at the top of the page.
    heading.current?.focus();
  };
  return (
    <section aria-label={t('Holidays')} className="flex flex-col gap-3 sm:ps-7">
      <div>
        <h3 ref={heading} tabIndex={-1} className="w-fit font-medium">
          {t('Holidays')}
        </h3>
        <p className="text-muted">
          {t('On these days the website is closed all day, in the time zone of its office hours.')}
        </p>
      </div>
      <HolidayList rows={rows.filter(({ next }) => next !== null)} remove={remove} />
      {past.length > 0 && (
        <details className="group">
          <summary className="flex w-fit items-center gap-1.5 text-muted">
            <ChevronRight
              size={16}
              aria-hidden
              className="group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:-rotate-90"
            />
            {t('Past holidays ({count})', { count: past.length })}
          </summary>
          <div className="pt-2">
            <HolidayList rows={past} remove={remove} />
          </div>
        </details>
      )}
      <p role="status" className="text-muted empty:hidden">
        {holidays.length > 0 && isAlwaysOpen(used)
          ? t(
              'The office hours are 00:00–24:00 on every day, in the time zone {timeZone}: only holidays close the website.',
              {
                timeZone,
              },
            )
          : ''}
      </p>
      <NewHoliday holidays={holidays} onAdd={add}>
        <ImportHolidays holidays={holidays} today={today} onAdd={add} />
      </NewHoliday>
    </section>
  );
}

function HolidayList({ rows, remove }: { rows: HolidayRow[]; remove: (at: number) => void }) {
  if (rows.length === 0) return null;
  return (
    <ul className="max-h-96 divide-y overflow-y-auto rounded-card border bg-surface">
      {rows.map(({ at, holiday, next }) => (
        <li key={at} className="flex items-center gap-x-3 py-1 ps-3 pe-1.5">
          <div className="flex min-w-0 flex-1 flex-wrap gap-x-3">
            <span className="w-44 tabular-nums">{formatCalendarDay(next ?? holiday.date)}</span>
            <span className="min-w-0 flex-1 basis-32 font-medium wrap-anywhere">{holiday.name}</span>
            <span className="text-muted">{holiday.yearly ? t('Every year') : t('Once')}</span>
          </div>
          <IconButton
            label={t('Remove {name}{ordinal}', {
              name: holiday.name,
              ordinal: `, ${formatCalendarDay(next ?? holiday.date)}`,
            })}
            size="sm"
            onClick={() => remove(at)}
          >
            <X size={16} aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}

const NONE: Holiday = { date: '', name: '', yearly: false };

interface NewHolidayProps {
  holidays: Holiday[];
  onAdd: (holidays: Holiday[]) => void;
  /** Other ways to add some. */
  children: ReactNode;
}

/** It stands in the form of the site, so it is none itself. */
function NewHoliday({ holidays, onAdd, children }: NewHolidayProps) {
  const [holiday, setHoliday] = useState(NONE);
  const [problem, setProblem] = useState<string>();
  const row = useRef<HTMLDivElement>(null);
  const change = (part: Partial<Holiday>) => {
    setHoliday({ ...holiday, ...part });
    setProblem(undefined);
  };
  const add = () => {
    const wrong = holidayProblem(holiday, holidays);
    setProblem(wrong);
    if (!wrong) {
      onAdd([{ ...holiday, name: holiday.name.trim() }]);
      setHoliday(NONE);
    }
    row.current?.querySelector('input')?.focus();
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    add();
  };
  return (
    <div ref={row} className="flex flex-col gap-3">
      <div className="grid items-start gap-3 sm:grid-cols-[10rem_1fr]">
        <Field label={t('Day of the holiday')}>
          <Input
            type="date"
            value={holiday.date}
            onChange={({ target }) => change({ date: target.value })}
            onKeyDown={addOnEnter}
          />
        </Field>
        <Field label={t('Name of the holiday')}>
          <Input
            value={holiday.name}
            onChange={({ target }) => change({ name: target.value })}
            onKeyDown={addOnEnter}
            maxLength={HOLIDAY_NAME_MAX_LENGTH}
            autoComplete="off"
          />
        </Field>
      </div>
      <Checkbox
        label={t('Every year')}
        checked={holiday.yearly}
        onChange={({ target }) => change({ yearly: target.checked })}
      />
      {problem && (
        <p role="alert" className="text-xs font-medium text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={add}>
          <Plus size={16} aria-hidden />
          {t('Add holiday')}
        </Button>
        {children}
      </div>
    </div>
  );
}
