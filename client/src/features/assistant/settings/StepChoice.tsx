import { useId } from 'react';
import { useFormContext } from 'react-hook-form';
import { t } from '../../../lib/i18n.ts';
import { type AssistantValues, LABELS, STEPS } from './assistantForm.ts';

/** The three steps, each with what it does and what it costs. */
export function StepChoice() {
  const { register } = useFormContext<AssistantValues>();
  const id = useId();
  return (
    <fieldset className="min-w-0">
      <legend className="pb-2 font-medium">{t(LABELS.step)}</legend>
      <div className="flex flex-col gap-2">
        {STEPS.map(({ value, label, hint, cost }) => (
          <label
            key={value}
            className="flex cursor-pointer items-start gap-3 rounded-card border bg-surface p-4 transition-colors hover:border-muted has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-default has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              {...register('step')}
              type="radio"
              value={value}
              aria-label={t(label)}
              aria-describedby={`${id}-${value}`}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">{t(label)}</span>
              <span id={`${id}-${value}`} className="block pt-0.5 text-muted">
                {t(hint)} <span className="text-text">{t(cost)}</span>
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
