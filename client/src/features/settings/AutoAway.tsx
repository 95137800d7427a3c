import toast from 'react-hot-toast';
import { AUTO_AWAY_MINUTES, type AvailabilitySettings } from 'server/contract';
import { plural, t } from '../../lib/i18n.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSaveAtOnce } from './api.ts';

const options = () =>
  AUTO_AWAY_MINUTES.map((minutes) => ({
    value: String(minutes),
    label: minutes === 0 ? t('Never') : plural(minutes, 'After {count} minute', 'After {count} minutes'),
  }));

/** After how long without input one is away; saved at once. */
export function AutoAway({ autoAwayMinutes }: AvailabilitySettings) {
  const { save } = useSaveAtOnce();
  const choose = (chosen: string) => {
    const minutes = AUTO_AWAY_MINUTES.find((each) => String(each) === chosen) ?? 0;
    const saved = minutes === 0 ? t('You stay online until you switch it off') : t('Saved');
    void save({ section: 'availability', data: { autoAwayMinutes: minutes } }, () => toast.success(saved));
  };
  return (
    <section aria-labelledby="availability" className="flex flex-col gap-3">
      <h2 id="availability" className="text-base font-semibold">
        {t('Availability')}
      </h2>
      <Field
        label={t('Show me as away')}
        hint={t(
          'Without a key, a click or a movement on any of your devices. While away you get no new chats; the next input brings you back.',
        )}
      >
        <Select value={String(autoAwayMinutes)} onValueChange={choose} options={options()} />
      </Field>
    </section>
  );
}
