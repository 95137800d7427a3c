import toast from 'react-hot-toast';
import { AUTO_AWAY_MINUTES, type AvailabilitySettings } from 'server/contract';
import { failureText } from '../../lib/http.ts';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { useSaveSettings } from './api.ts';

const OPTIONS = AUTO_AWAY_MINUTES.map((minutes) => ({
  value: String(minutes),
  label: minutes === 0 ? 'Never' : `After ${minutes} minutes`,
}));

/** After how long without input one is away; saved at once. */
export function AutoAway({ autoAwayMinutes }: AvailabilitySettings) {
  const save = useSaveSettings();
  const choose = async (chosen: string) => {
    const minutes = AUTO_AWAY_MINUTES.find((each) => String(each) === chosen) ?? 0;
    try {
      await save.mutateAsync({ section: 'availability', data: { autoAwayMinutes: minutes } });
      toast.success(minutes === 0 ? 'You stay online until you switch it off' : 'Saved');
    } catch (failure) {
      toast.error(failureText(failure, 'It could not be saved.'));
    }
  };
  return (
    <section aria-labelledby="availability" className="flex flex-col gap-3">
      <h2 id="availability" className="text-base font-semibold">
        Availability
      </h2>
      <Field
        label="Show me as away"
        hint="Without a key, a click or a movement on any of your devices. While away you get no new chats; the next input brings you back."
      >
        <Select value={String(autoAwayMinutes)} onValueChange={(chosen) => void choose(chosen)} options={OPTIONS} />
      </Field>
    </section>
  );
}
