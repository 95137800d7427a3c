import { useId } from 'react';
import { t } from '../lib/i18n.ts';
import { Field } from '../ui/Field.tsx';
import { Input } from '../ui/Input.tsx';

interface TimeZoneFieldProps {
  /** An IANA name; what is typed may be none yet. */
  value: string;
  onChange: (timeZone: string) => void;
  hint?: string;
}

/** A time zone, typed with the help of a list of all. */
export function TimeZoneField({ value, onChange, hint }: TimeZoneFieldProps) {
  const zones = useId();
  return (
    <div>
      <Field label={t('Time zone')} {...(hint !== undefined && { hint })}>
        <Input
          list={zones}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  );
}
