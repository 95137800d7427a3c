import { useState } from 'react';
import type { Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';

/** The screen that edits a site's canned replies, a script of its own. */
export const ManageReplies = lazyPart(async () => (await import('./ManageReplies.tsx')).ManageReplies);

/** The way to a site's canned replies, from its settings. */
export function CannedReplies({ site }: { site: Site }) {
  const [open, setOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-card border bg-surface p-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{t('Canned replies')}</p>
        <p className="text-muted">{t('Texts that the team keeps ready; typing / in a chat inserts one.')}</p>
      </div>
      <Button variant="secondary" size="sm" aria-label={t('Edit canned replies')} onClick={() => setOpen(true)}>
        {t('Edit')}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={t('Canned replies')} text={site.name}>
        <ManageReplies site={site} onDone={() => setOpen(false)} />
      </Dialog>
    </div>
  );
}
