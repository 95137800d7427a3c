import { useEffect, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useSocket } from '../../lib/socket.tsx';

/** Shorter interruptions, such as a reload, are not shown. */
const PATIENCE_MS = 1_500;

/** Whether the socket has been disconnected for longer than `PATIENCE_MS`. */
export function useIsDisconnected(): boolean {
  const { connected } = useSocket();
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (connected) return setLate(false);
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [connected]);
  return late;
}

/** A status bar while the socket is disconnected. */
export function ReconnectingBar() {
  const late = useIsDisconnected();
  return (
    <div role="status" className="shrink-0">
      {late && (
        <p className="animate-fade bg-waiting-soft px-4 py-1.5 text-center text-xs font-medium text-waiting">
          {t('Reconnecting… New messages show as soon as the connection is back.')}
        </p>
      )}
    </div>
  );
}
