import { useState, useSyncExternalStore } from 'react';
import { useBeforeUnload, useBlocker } from 'react-router-dom';
import { drafts } from '../../lib/drafts.ts';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { discardDraft } from '../discardDraft.ts';

/** Asks before unsaved input is left behind, and discards it. @param draftKey begins the keys of the drafts of the screen */
export function LeaveGuard({ draftKey }: { draftKey: string }) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && drafts.keys(draftKey).length > 0,
  );
  useBeforeUnload((event) => {
    if (drafts.keys(draftKey).length > 0) event.preventDefault();
  });
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

/** Says that a screen shows changes of an earlier visit, which would else be saved unseen with others. */
export function LeftChanges({ draftKey }: { draftKey: string }) {
  const count = useSyncExternalStore(drafts.watch, () => drafts.keys(draftKey).length);
  const [isLeft] = useState(count > 0);
  if (!isLeft || count === 0) return null;
  return (
    <p role="status" className="flex flex-wrap items-center justify-between gap-2 rounded-control bg-waiting-soft p-3">
      {t('This page shows changes from earlier that are not saved yet.')}
      <Button
        variant="secondary"
        size="sm"
        onClick={() => {
          for (const key of drafts.keys(draftKey)) discardDraft(key);
        }}
      >
        {t('Discard')}
      </Button>
    </p>
  );
}
