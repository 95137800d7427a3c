import { useEffect, useRef, useState } from 'react';
import { useChats } from '#features/chats';
import { useDepartmentsOfChats } from '#features/departments';
import { useAuth } from '../../lib/auth.tsx';
import { plural } from '../../lib/i18n.ts';
import { useDebounced } from '../../lib/timing.ts';
import { useSites } from '../../shared/sites.ts';
import { useClock } from '../../ui/Time.tsx';
import { waitingChats } from './escalation.ts';

/** Chats that begin to wait within this time of each other are announced together. */
const TOGETHER_MS = 1_000;

/** A live region: tells screen readers how many chats wait, each time that another one begins to. */
export function WaitingAnnouncer() {
  const { user } = useAuth();
  const { data: sites } = useSites();
  const { data: chats } = useChats({ status: 'all' });
  const departments = useDepartmentsOfChats(chats ?? []);
  const clock = useClock();
  const waits = user && sites && chats && waitingChats({ user, sites, departments }, chats, clock);
  const ids = waits?.map(({ _id }) => _id).join(' ') ?? null;
  const waiting = useDebounced(ids, TOGETHER_MS);
  const known = useRef(ids);
  const [count, announce] = useState(0);
  useEffect(() => {
    // Those that wait when the dashboard is opened are in its list.
    known.current ??= ids;
  }, [ids]);
  useEffect(() => {
    if (waiting === null) return;
    const now = waiting.split(' ').filter(Boolean);
    announce(now.some((id) => !known.current?.includes(id)) ? now.length : 0);
    known.current = waiting;
  }, [waiting]);
  return (
    <p role="status" className="sr-only">
      {/* A new element, so that the same sentence is read again. */}
      {count > 0 && <span key={waiting}>{plural(count, '{count} chat is waiting', '{count} chats are waiting')}</span>}
    </p>
  );
}
