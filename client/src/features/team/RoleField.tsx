import type { SiteRole } from 'server/contract';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';
import { hintOf, ROLES } from './roles.ts';

interface RoleFieldProps {
  value: SiteRole;
  onChange: (role: SiteRole) => void;
  error?: string | undefined;
}

/** A role to choose, each with what it may do. */
export function RoleField({ value, onChange, error }: RoleFieldProps) {
  return (
    <Field
      label="Role"
      hint={<span className="inline-block first-letter:uppercase">{hintOf(value)}</span>}
      error={error}
    >
      <Select value={value} onValueChange={onChange} options={ROLES} />
    </Field>
  );
}
