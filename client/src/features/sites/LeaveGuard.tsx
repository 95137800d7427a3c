import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

interface LeaveGuardProps {
  /** There is input that nobody has saved. Asked when somebody leaves, not when this was drawn. */
  isDirty: () => boolean;
  /** The input is given up. */
  onLeave: () => void;
}

/** Asks before unsaved input is left behind. */
export function LeaveGuard({ isDirty, onLeave }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isDirty(),
  );
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [isDirty]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t('Leave without saving?')}
      text={t('Your changes on this page are not saved.')}
      confirmLabel={t('Leave')}
      onConfirm={() => {
        onLeave();
        blocker.proceed?.();
      }}
    />
  );
}
