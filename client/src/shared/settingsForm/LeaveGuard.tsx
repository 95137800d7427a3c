import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { drafts } from '../../lib/drafts.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';

/** Asks before unsaved input is left behind, and discards it. @param draftKey begins the keys of the drafts of the screen */
export function LeaveGuard({ draftKey }: { draftKey: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && drafts.keys(draftKey).length > 0,
  );
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (drafts.keys(draftKey).length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [draftKey]);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onOpenChange={(open) => !open && blocker.reset?.()}
      title={t('Leave without saving?')}
      text={t('Your changes on this page are not saved.')}
      confirmLabel={t('Leave')}
      onConfirm={() => {
        for (const key of drafts.keys(draftKey)) drafts.write(key, '');
        blocker.proceed?.();
      }}
    />
  );
}
