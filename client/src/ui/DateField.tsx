import { Field } from './Field.tsx';
import { Input } from './Input.tsx';

interface DateFieldProps {
  label: string;
  /** Like `2026-05-31`, or empty. */
  value: string;
  onChange: (value: string) => void;
  min?: string;
  max?: string;
}

/** A day of the calendar, by the browser's own picker. */
export function DateField({ label, value, onChange, ...range }: DateFieldProps) {
  return (
    <Field label={label}>
      <Input
        type="date"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="max-sm:px-2"
        {...range}
      />
    </Field>
  );
}
