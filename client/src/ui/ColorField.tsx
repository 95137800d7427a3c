import { msg, t } from '../lib/i18n.ts';
import { Field } from './Field.tsx';
import { Input } from './Input.tsx';

interface ColorFieldProps {
  label: string;
  /** `#rrggbb`, or whatever was typed so far. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** A colour as the widget takes it: `#3b82f6`. */
export const HEX_COLOR = /^#[0-9a-f]{6}$/i;

const HINT = msg('If white text is hard to read on it, the widget uses a darker shade.');

/** A colour of the widget, by picker or by hand. */
export function ColorField({ label, value, onChange, error }: ColorFieldProps) {
  return (
    <Field label={label} hint={t(HINT)} error={error}>
      <div className="flex gap-2">
        <input
          type="color"
          aria-label={t('{label} picker', { label })}
          value={HEX_COLOR.test(value) ? value : '#000000'}
          onChange={(event) => onChange(event.target.value)}
          className="h-10 w-12 shrink-0 cursor-pointer rounded-control border border-edge bg-surface p-1"
        />
        <Input
          dir="ltr"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          spellCheck={false}
          maxLength={7}
          className="max-w-36 font-mono"
        />
      </div>
    </Field>
  );
}
