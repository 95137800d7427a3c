import { AlertDialog as Radix } from 'radix-ui';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';
import type { DialogState } from './Dialog.tsx';
import { useFocusBefore } from './focusBefore.ts';

const AlertContext = createContext<((text: string) => Promise<void>) | null>(null);

/** Shows the alerts of `useAlert`, one after the other. */
export function AlertProvider({ children }: { children: ReactNode }) {
  const [queue, setQueue] = useState<{ text: string; done: () => void }[]>([]);
  const [current] = queue;
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
      <AlertFrame open={current !== undefined} onOpenChange={(open) => !open && close()}>
        <Radix.Title className="sr-only">{t('Notice')}</Radix.Title>
        <Radix.Description className="wrap-anywhere">{current?.text}</Radix.Description>
        <div className="flex justify-end pt-6">
          {/* Cancel, not Action: that is the one which gets the focus. */}
          <Radix.Cancel asChild>
            <Button>{t('OK')}</Button>
          </Radix.Cancel>
        </div>
      </AlertFrame>
    </AlertContext>
  );
}

/** Shows an alert dialog; the promise resolves when it is closed. */
export function useAlert(): (text: string) => Promise<void> {
  const alert = useContext(AlertContext);
  if (!alert) throw new Error('useAlert must be used within an AlertProvider');
  return alert;
}

/** The window of alerts and questions. On close it returns the focus to where it was. */
export function AlertFrame({ children, ...root }: DialogState & { children: ReactNode }) {
  const focus = useFocusBefore();
  return (
    <Radix.Root {...root}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-shade" />
        <Radix.Content
          {...focus}
          className="fixed inset-x-4 top-1/2 z-50 mx-auto max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 overflow-y-auto rounded-card border bg-raised p-6 shadow-float"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
