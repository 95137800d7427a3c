import { AlertDialog as Radix } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { Button } from './Button.tsx';
import { useFocusReturn } from './focus.ts';

export const ALERT_OVERLAY = 'fixed inset-0 z-40 animate-fade bg-shade';
export const ALERT_PANEL =
  'fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 overflow-y-auto rounded-card border bg-raised p-6 shadow-float';

interface Pending {
  text: string;
  done: () => void;
}

const AlertContext = createContext<((text: string) => Promise<void>) | null>(null);

/** Holds the place where `useAlert` speaks; alerts that come together are shown one after the other. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<Pending[]>([]);
  const [current] = queue;
  const focusReturn = useFocusReturn();
  // The text stays while the window fades away.
  const [text, setText] = useState('');
  useEffect(() => {
    if (current) setText(current.text);
  }, [current]);
  const alert = useCallback(
    (words: string) => new Promise<void>((done) => setQueue((all) => [...all, { text: words, done }])),
    [],
  );
  const close = () => {
    current?.done();
    setQueue((all) => all.slice(1));
  };
  return (
    <AlertContext value={alert}>
      {children}
      <Radix.Root open={current !== undefined} onOpenChange={(open) => !open && close()}>
        <Radix.Portal>
          <Radix.Overlay className={ALERT_OVERLAY} />
          <Radix.Content {...focusReturn} className={ALERT_PANEL}>
            <Radix.Title className="sr-only">Notice</Radix.Title>
            <Radix.Description className="wrap-anywhere">{current?.text ?? text}</Radix.Description>
            <div className="flex justify-end pt-6">
              {/* Cancel, not Action: that is the one which gets the focus. */}
              <Radix.Cancel asChild>
                <Button>OK</Button>
              </Radix.Cancel>
            </div>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </AlertContext>
  );
}

/** Says something that must be seen; the promise ends when it was closed. */
export function useAlert(): (text: string) => Promise<void> {
  const alert = useContext(AlertContext);
  if (!alert) throw new Error('useAlert must be used within an AlertProvider');
  return alert;
}
