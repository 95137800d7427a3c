import { Crown, Eye, type LucideIcon, MessagesSquare } from 'lucide-react';
import type { SiteRole } from 'server/contract';
import { msg, t } from '../../lib/i18n.ts';
import { translated } from '../../shared/translated.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Field } from '../../ui/Field.tsx';
import { Select } from '../../ui/Select.tsx';

const LOOKS: Record<SiteRole, { icon: LucideIcon; tone: 'waiting' | 'accent' | 'neutral' }> = {
  admin: { icon: Crown, tone: 'waiting' },
  agent: { icon: MessagesSquare, tone: 'accent' },
  viewer: { icon: Eye, tone: 'neutral' },
};

interface RoleFieldProps {
  value: SiteRole;
  onChange: (role: SiteRole) => void;
  error?: string | undefined;
}

/** A role to choose, each with what it may do. */
export function RoleField({ value, onChange, error }: RoleFieldProps) {
  return (
    <Field
      label={t('Role')}
      hint={<span className="inline-block first-letter:uppercase">{roleHint(value)}</span>}
      error={error}
    >
      <Select value={value} onValueChange={onChange} options={translated(ROLES)} />
    </Field>
  );
}

/** A role in a word and a sign; the admin's is the yellow crown. */
export function RoleBadge({ role }: { role: SiteRole }) {
  const { icon: Icon, tone } = LOOKS[role];
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden />
      <span className="inline-block first-letter:uppercase">{t(role)}</span>
    </Badge>
  );
}

/** What each role can do, in the words of the screens that let one choose, in English. */
export const ROLES: readonly { value: SiteRole; label: string; hint: string }[] = [
  { value: 'agent', label: msg('Agent'), hint: msg('can chat with visitors') },
  { value: 'viewer', label: msg('Viewer'), hint: msg('read-only access') },
  { value: 'admin', label: msg('Admin'), hint: msg('full access') },
];

/** What a role may do, as a phrase. */
export function roleHint(role: SiteRole): string {
  return t(ROLES.find(({ value }) => value === role)?.hint ?? '');
}
