import { useEffect, useEffectEvent, useRef } from 'react';
import toast from 'react-hot-toast';
import { ACTIVITY_EVERY_MS, IDLE_MAX_MS } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { useSocket } from '../../lib/socket.tsx';
import { useAway } from '../../shared/notReceiving.ts';

const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const;

/**
 * Tells the server that somebody uses this dashboard: at once after an absence, else at most once a minute, and never
 * without input. Only for users who have chosen to be away without it; the server adds up all their tabs and devices.
 */
export function useAwayReports(): void {
  const { user } = useAuth();
  const { connected, request } = useSocket();
  const [away, setAway] = useAway();
  const isOn = connected && user?.autoAwayMinutes !== undefined;
  /** Opening a page is input, too. */
  const last = useRef({ input: Date.now(), report: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const report = useEffectEvent(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (!isOn) return;
    last.current.report = Date.now();
    const idleMs = Math.min(IDLE_MAX_MS, Math.max(0, Date.now() - last.current.input));
    request('report_activity', { idleMs })
      .then((answer) => {
        setAway(answer.away);
        if (away && !answer.away && user?.available) toast.success(t('Welcome back. You get new chats again.'));
      })
      // After a new connection it is reported again; else with the next input.
      .catch(() => undefined);
  });
  const onInput = useEffectEvent(() => {
    last.current.input = Date.now();
    if (!isOn) return;
    const waitMs = away ? 0 : last.current.report + ACTIVITY_EVERY_MS - Date.now();
    // Input within the minute is reported at its end, or the absence would begin up to a minute too early.
    if (waitMs > 0) timer.current ??= setTimeout(report, waitMs);
    else report();
  });

  useEffect(() => {
    // Browsers send a movement without any when something moves below a pointer at rest.
    const listener = (event: Event) => {
      const isStill =
        event instanceof MouseEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;
      if (!isStill) onInput();
    };
    for (const name of INPUTS) window.addEventListener(name, listener, { capture: true, passive: true });
    return () => {
      clearTimeout(timer.current);
      for (const name of INPUTS) window.removeEventListener(name, listener, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (isOn) report();
    else setAway(false);
  }, [isOn, setAway]);
}
