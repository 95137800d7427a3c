import { t } from '../../../lib/i18n.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';

interface ManyChoiceProps<Value extends string> {
  label: string;
  hint: string;
  options: readonly { value: Value; label: string }[];
  /** None: all. */
  chosen: readonly Value[];
  onChoose: (chosen: Value[]) => void;
}

/** Some of many, where none means all. */
export function ManyChoice<Value extends string>({ label, hint, options, chosen, onChoose }: ManyChoiceProps<Value>) {
  const toggle = (value: Value, isWanted: boolean) =>
    onChoose(options.map((each) => each.value).filter((each) => (each === value ? isWanted : chosen.includes(each))));
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="font-medium">{label}</legend>
      <p className="pb-1 text-xs text-muted">{chosen.length === 0 ? hint : t('Only those that are ticked.')}</p>
      <div className="grid grid-cols-2 gap-x-4 gap-y-2.5 sm:grid-cols-3">
        {options.map(({ value, label: words }) => (
          <Checkbox
            key={value}
            label={<span className="wrap-anywhere">{words}</span>}
            checked={chosen.includes(value)}
            onChange={({ target }) => toggle(value, target.checked)}
          />
        ))}
      </div>
    </fieldset>
  );
}
