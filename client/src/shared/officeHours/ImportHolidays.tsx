import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { HOLIDAYS_MAX, type Holiday } from 'server/contract';
import { formatBytes, formatCalendarDay } from '../../lib/format.ts';
import { plural, sentences, t } from '../../lib/i18n.ts';
import { codeOf } from '../../lib/release.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { inOrder, isCovered } from './holidays.ts';

const ICS_MAX_BYTES = 1024 * 1024;
/** The parser is large, and few import a file. */
const reader = codeOf(() => import('./icsHolidays.ts'));

interface Found {
  holidays: Holiday[];
  /** How many days are left out: there is a holiday already, or they are over. */
  known: number;
  /** How many events cannot be holidays. */
  others: number;
}

interface ImportProps {
  holidays: Holiday[];
  today: string;
  onAdd: (holidays: Holiday[]) => void;
}

/** Adds the holidays of a calendar file, after showing what was found in it. */
export function ImportHolidays({ holidays, today, onAdd }: ImportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [found, setFound] = useState<Found | null>(null);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const read = async (file: File) => {
    setProblem(undefined);
    if (file.size > ICS_MAX_BYTES)
      return setProblem(t('The file is larger than {size}', { size: formatBytes(ICS_MAX_BYTES) }));
    setBusy(true);
    try {
      const { holidaysIn } = await reader.load();
      const result = holidaysIn(await file.text());
      if ('problem' in result) setProblem(result.problem);
      else setFound(newOf(result, holidays, today));
    } catch {
      setProblem(t('The file could not be read. Please try again.'));
    } finally {
      setBusy(false);
    }
  };
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = target.files ?? [];
    // Else choosing the same file again, once it is mended, would send no event.
    if (chosen) void read(chosen);
    target.value = '';
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".ics,text/calendar"
        hidden
        aria-label={t('Calendar file')}
        onChange={onChange}
      />
      <Button variant="ghost" size="sm" busy={busy} onClick={() => input.current?.click()}>
        <Upload size={16} aria-hidden />
        {t('Import calendar file (.ics)')}
      </Button>
      {problem && (
        <p role="alert" className="basis-full text-xs font-medium text-danger">
          {problem}
        </p>
      )}
      <Dialog open={found !== null} onOpenChange={() => setFound(null)} title={t('Import Holidays')}>
        {found && (
          <Choice
            found={found}
            room={HOLIDAYS_MAX - holidays.length}
            onAdd={(chosen) => {
              onAdd(chosen);
              setFound(null);
            }}
          />
        )}
      </Dialog>
    </>
  );
}

/** The holidays that are not known yet and not over, each once. */
function newOf(file: { holidays: Holiday[]; others: number }, known: Holiday[], today: string): Found {
  const fresh: Holiday[] = [];
  let left = 0;
  for (const { holiday, next } of inOrder(file.holidays, today)) {
    if (next === null || isCovered(holiday, [...known, ...fresh])) left += 1;
    // More than these cannot be added.
    else if (fresh.length < HOLIDAYS_MAX) fresh.push(holiday);
  }
  return { holidays: fresh, known: left, others: file.others };
}

function Choice({ found, room, onAdd }: { found: Found; room: number; onAdd: (chosen: Holiday[]) => void }) {
  const { holidays, known, others } = found;
  const [chosen, setChosen] = useState(new Set(holidays.slice(0, room)));
  const left = sentences(
    known > 0
      ? plural(
          known,
          '{count} day is left out: it is over, or already a holiday.',
          '{count} days are left out: they are over, or already holidays.',
        )
      : '',
    others > 0
      ? plural(
          others,
          '{count} event is left out: it is not all day, or does not repeat on the same day of each year.',
          '{count} events are left out: they are not all day, or do not repeat on the same day of each year.',
        )
      : '',
  );
  const toggle = (holiday: Holiday, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(holiday);
    else next.delete(holiday);
    setChosen(next);
  };
  const isTooMany = chosen.size > room;
  return (
    <div className="flex flex-col gap-4 pt-3">
      {left && <p className="text-muted">{left}</p>}
      {holidays.length === 0 && <p>{t('There are no new holidays in this file.')}</p>}
      {holidays.length > 1 && (
        <Checkbox
          label={t('All')}
          checked={chosen.size === holidays.length}
          onChange={({ target }) => setChosen(new Set(target.checked ? holidays : []))}
        />
      )}
      <ul className="flex flex-col gap-2">
        {holidays.map((holiday) => (
          <li key={`${holiday.date} ${holiday.yearly}`}>
            <Checkbox
              label={<span className="wrap-anywhere">{holiday.name}</span>}
              hint={t('{day}, {time}', {
                day: formatCalendarDay(holiday.date),
                time: holiday.yearly ? t('Every year') : t('Once'),
              })}
              checked={chosen.has(holiday)}
              onChange={({ target }) => toggle(holiday, target.checked)}
            />
          </li>
        ))}
      </ul>
      {isTooMany && (
        <p role="alert" className="text-xs font-medium text-danger">
          {t('A website can have up to {max} holidays', { max: HOLIDAYS_MAX })}
        </p>
      )}
      {holidays.length > 0 && (
        <Button
          className="self-end"
          disabled={chosen.size === 0 || isTooMany}
          onClick={() => onAdd(holidays.filter((holiday) => chosen.has(holiday)))}
        >
          {plural(chosen.size, 'Add {count} holiday', 'Add {count} holidays')}
        </Button>
      )}
    </div>
  );
}
