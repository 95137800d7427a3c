import { Check, CheckCheck, CircleAlert, Clock, ClockAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Receipts } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { deliveryStateOf } from '../model/thread.ts';
import type { Bubble } from '../model/timeline.ts';

/** After this long without an answer a message says that it is late. */
const LATE_AFTER_MS = 30_000;

const STATES = {
  sending: { icon: Clock, word: 'Sending', look: 'text-muted' },
  late: { icon: ClockAlert, word: 'not sent yet, retrying', look: 'text-waiting' },
  sent: { icon: Check, word: 'Sent', look: 'text-muted' },
  delivered: { icon: CheckCheck, word: 'Delivered', look: 'text-muted' },
  read: { icon: CheckCheck, word: 'Read', look: 'text-accent' },
  failed: { icon: CircleAlert, word: 'Failed', look: 'text-danger' },
};

/** How far an own message has got: an icon, with the word for those who cannot see it. */
export function State({ bubble, receipts }: { bubble: Bubble; receipts: Receipts | null }) {
  const late = useLate(bubble.outgoing?.at);
  const state = STATES[stateOf(bubble, receipts, late)];
  return (
    <Tooltip text={state.word} side="left">
      <span className={cx('mb-1 inline-flex shrink-0 items-center gap-1 self-end text-xs', state.look)}>
        {late && !bubble.outgoing?.failed ? state.word : <span className="sr-only">{state.word}</span>}
        <state.icon size={14} aria-hidden />
      </span>
    </Tooltip>
  );
}

function stateOf({ message, outgoing }: Bubble, receipts: Receipts | null, late: boolean): keyof typeof STATES {
  if (message) return deliveryStateOf(message.seq, receipts);
  if (outgoing.failed !== null) return 'failed';
  return late ? 'late' : 'sending';
}

/** Becomes true when the message has been on its way for too long. */
function useLate(since: number | undefined): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (since === undefined) return;
    const timer = setTimeout(() => setLate(true), Math.max(0, since + LATE_AFTER_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return late;
}
