import { type FormEvent, useState } from 'react';
import type { Chat } from 'server/contract';
import { SNOOZE_DAYS_MAX } from 'server/contract';
import { formatDayTime } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Input } from '../../../ui/Input.tsx';
import { dayOf, snoozeTimes } from './times.ts';

const DAY_MS = 86_400_000;

interface SnoozeProps {
  chat: Chat;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSnooze: (until: string) => void;
  onBringBack: () => void;
}

/** Chooses until when a chat is snoozed. */
export function SnoozeDialog(props: SnoozeProps) {
  const name = visitorName(props.chat.visitorInfo.name);
  return (
    <Dialog
      open={props.open}
      onOpenChange={props.onOpenChange}
      title={t('Snooze chat')}
      text={t(
        'The chat of {name} leaves the lists until then. It comes back at once if a message of the visitor arrives.',
        { name },
      )}
    >
      <Times {...props} />
    </Dialog>
  );
}

function Times({ chat, onOpenChange, onSnooze, onBringBack }: SnoozeProps) {
  const [now] = useState(() => new Date());
  const choose = (at: Date) => {
    onOpenChange(false);
    onSnooze(at.toISOString());
  };
  const bringBack = () => {
    onOpenChange(false);
    onBringBack();
  };
  return (
    <>
      <ul aria-label={t('Snooze until')} className="-mx-2 flex flex-col pt-2">
        {snoozeTimes(now).map(({ label, at }) => (
          <li key={label}>
            <button
              type="button"
              onClick={() => choose(at)}
              className="flex w-full items-center justify-between gap-3 rounded-control px-2 py-2.5 text-start transition-colors hover:bg-text/5 focus-visible:-outline-offset-2"
            >
              <span className="font-medium">{label}</span>
              <span className="text-muted tabular-nums">{formatDayTime(at.toISOString())}</span>
            </button>
          </li>
        ))}
      </ul>
      <OwnTime now={now} onChoose={choose} />
      {chat.snoozedUntil !== undefined && (
        <div className="flex justify-end border-t pt-3">
          <Button variant="secondary" onClick={bringBack}>
            {t('Bring back now')}
          </Button>
        </div>
      )}
    </>
  );
}

/** Any day and time within a year, by the browser's own pickers. */
function OwnTime({ now, onChoose }: { now: Date; onChoose: (at: Date) => void }) {
  const [day, setDay] = useState(() => dayOf(new Date(now.getTime() + DAY_MS)));
  const [time, setTime] = useState('09:00');
  const [error, setError] = useState<string>();
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    // Without a zone it is read as the time where the user is.
    const at = new Date(`${day}T${time}`);
    if (at.getTime() > Date.now()) onChoose(at);
    else setError(t('Choose a time in the future.'));
  };
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-3 border-t py-3">
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('Day')}>
          <Input
            type="date"
            value={day}
            onChange={(event) => setDay(event.target.value)}
            min={dayOf(now)}
            max={dayOf(new Date(now.getTime() + (SNOOZE_DAYS_MAX - 1) * DAY_MS))}
            className="max-sm:px-2"
          />
        </Field>
        <Field label={t('Time')} error={error}>
          <Input type="time" value={time} onChange={(event) => setTime(event.target.value)} className="max-sm:px-2" />
        </Field>
      </div>
      <Button type="submit" className="self-end">
        {t('Snooze')}
      </Button>
    </form>
  );
}
