import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { onDemand } from './onDemand.ts';

const panels = onDemand(() => import('./panels/AlertPanels.tsx'));

interface Pending {
  text: string;
  done: () => void;
}

const AlertContext = createContext<((text: string) => Promise<void>) | null>(null);

/** Shows the alerts of `useAlert`, one after the other. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<Pending[]>([]);
  const [current] = queue;
  const loaded = panels.usePart(current !== undefined);
  const alert = useCallback(
    (text: string) => new Promise<void>((done) => setQueue((all) => [...all, { text, done }])),
    [],
  );
  const close = () => {
    current?.done();
    setQueue((all) => all.slice(1));
  };
  return (
    <AlertContext value={alert}>
      {children}
      {loaded && <loaded.AlertPanel text={current?.text ?? null} onClose={close} />}
    </AlertContext>
  );
}

/** Shows an alert dialog; the promise resolves when it is closed. */
export function useAlert(): (text: string) => Promise<void> {
  const alert = useContext(AlertContext);
  if (!alert) throw new Error('useAlert must be used within an AlertProvider');
  return alert;
}
