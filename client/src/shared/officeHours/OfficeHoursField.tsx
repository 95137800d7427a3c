import { CircleAlert, Plus, X } from 'lucide-react';
import { useRef } from 'react';
import type { OfficeHours } from 'server/contract';
import { localTimeZone } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Input } from '../../ui/Input.tsx';
import { TimeZoneField } from '../TimeZoneField.tsx';
import { HolidaysField } from './HolidaysField.tsx';
import { commonHours, keptEnd, shownEnd, WEEK, withChange, withoutSpan, withSpan } from './officeHours.ts';

/** A phone has no room for the clock, and opens one anyway. */
const TIME = 'w-34! px-2! max-sm:flex-1 max-sm:[&::-webkit-calendar-picker-indicator]:hidden';

interface HoursFieldProps {
  value: OfficeHours | null;
  onChange: (hours: OfficeHours | null) => void;
  error: string | undefined;
  /** The words of the checkbox, where the hours are not those of a whole site. */
  label?: string;
  hint?: string;
}

/** When somebody may be there to answer: any time, or a week of stretches in a time zone. */
export function OfficeHoursField({ value, onChange, error, label, hint }: HoursFieldProps) {
  const last = useRef(value);
  if (value) last.current = value;
  return (
    <div className="flex flex-col gap-4">
      <Checkbox
        label={label ?? t('Office hours')}
        hint={hint ?? t('Outside these hours the widget says that you are offline, even if somebody is online.')}
        checked={value !== null}
        onChange={({ target }) => onChange(target.checked ? (last.current ?? commonHours(localTimeZone())) : null)}
      />
      {value && <Week hours={value} onChange={onChange} />}
      {error && (
        <p role="alert" className="flex items-start gap-1.5 text-xs font-medium text-danger sm:ps-7">
          <CircleAlert size={14} aria-hidden className="mt-px shrink-0" />
          {error}
        </p>
      )}
      <HolidaysField hours={value} onChange={onChange} />
    </div>
  );
}

interface WeekProps {
  hours: OfficeHours;
  onChange: (hours: OfficeHours) => void;
}

function Week({ hours, onChange }: WeekProps) {
  return (
    <div className="flex flex-col gap-4 sm:ps-7">
      <TimeZoneField value={hours.timeZone} onChange={(timeZone) => onChange({ ...hours, timeZone })} />
      <ul className="divide-y rounded-card border bg-surface">
        {WEEK.map(({ day, name }) => (
          <Day key={day} day={day} name={t(name)} hours={hours} onChange={onChange} />
        ))}
      </ul>
    </div>
  );
}

function Day({ day, name, hours, onChange }: WeekProps & { day: number; name: string }) {
  const spans = hours.days.flatMap((span, at) => (span.day === day ? [{ ...span, at }] : []));
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-1 px-3 py-2">
      <span className="w-24 pt-2.5 font-medium max-sm:flex-1">{name}</span>
      <div className="flex min-w-0 flex-1 flex-col gap-2 max-sm:order-last max-sm:basis-full">
        {spans.length === 0 && <span className="pb-2 text-muted sm:pt-2.5">{t('Closed|shop')}</span>}
        {spans.map(({ from, to, at }, index) => (
          <div key={at} className="flex items-center gap-2">
            <Input
              type="time"
              aria-label={t('{name}, from{ordinal}', { name, ordinal: ordinal(index) })}
              value={from}
              onChange={({ target }) => onChange(withChange(hours, at, { from: target.value }))}
              className={TIME}
            />
            <span aria-hidden className="text-muted">
              –
            </span>
            <Input
              type="time"
              aria-label={t('{name}, to{ordinal}', { name, ordinal: ordinal(index) })}
              value={shownEnd(to)}
              onChange={({ target }) => onChange(withChange(hours, at, { to: keptEnd(target.value) }))}
              className={TIME}
            />
            <IconButton
              label={t('Remove {name}{ordinal}', { name, ordinal: ordinal(index) })}
              size="sm"
              onClick={() => onChange(withoutSpan(hours, at))}
            >
              <X size={16} aria-hidden />
            </IconButton>
          </div>
        ))}
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={t('Add hours on {name}', { name })}
        className="mt-1"
        onClick={() => onChange(withSpan(hours, day))}
      >
        <Plus size={16} aria-hidden />
        {t('Add')}
      </Button>
    </li>
  );
}

/** Tells the stretches of one day apart for who hears them. */
function ordinal(index: number): string {
  return index === 0 ? '' : `, ${index + 1}`;
}
