import { Crown, Eye, type LucideIcon, MessagesSquare } from 'lucide-react';
import type { SiteRole } from 'server/contract';
import { Badge } from '../../ui/Badge.tsx';

const LOOKS: Record<SiteRole, { icon: LucideIcon; tone: 'waiting' | 'accent' | 'neutral' }> = {
  admin: { icon: Crown, tone: 'waiting' },
  agent: { icon: MessagesSquare, tone: 'accent' },
  viewer: { icon: Eye, tone: 'neutral' },
};

/** A role in a word and a sign; the admin's is the yellow crown. */
export function RoleBadge({ role }: { role: SiteRole }) {
  const { icon: Icon, tone } = LOOKS[role];
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden />
      <span className="capitalize">{role}</span>
    </Badge>
  );
}
