import { Info } from 'lucide-react';
import type { Site, User } from 'server/contract';
import { useSocket } from '../../../lib/socket.tsx';
import { useAvailability, useAway, whyNotReceiving } from '../../../shared/notReceiving.ts';

/** A sentence above the list that says why the user is given no chats. The bar at the top tells of a lost connection. */
export function NotReceivingBanner({ user, sites }: { user: User; sites: readonly Site[] }) {
  const { connected } = useSocket();
  const [away] = useAway();
  const availability = useAvailability();
  const reason = connected && sites.length > 0 ? whyNotReceiving({ user, sites, connected, away, availability }) : null;
  return (
    <div role="status" className="shrink-0">
      {reason && (
        <p className="flex items-start gap-2 border-b bg-text/5 px-4 py-2 text-xs text-muted">
          <Info size={14} aria-hidden className="mt-px shrink-0" />
          {reason}
        </p>
      )}
    </div>
  );
}
