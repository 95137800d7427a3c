import { BadgeCheck } from 'lucide-react';
import { Badge } from './Badge.tsx';

/** The mark of somebody whose identity is proved. */
export function Verified() {
  return (
    <Badge tone="success">
      <BadgeCheck size={12} aria-hidden />
      Verified
    </Badge>
  );
}
