import { useState } from 'react';
import type { Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';

const ImportHistory = lazyPart(async () => (await import('./ImportHistory.tsx')).ImportHistory, {
  waiting: <Skeleton className="h-24 w-full" />,
});

/** The way to the import of another chat's history, from the settings of a site. */
export function HistoryImport({ site }: { site: Site }) {
  const [open, setOpen] = useState(false);
  return (
    <section aria-labelledby="history-import" className="rounded-card border bg-surface">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 p-4">
        <div className="min-w-0 flex-1 basis-56">
          <h2 id="history-import" className="font-medium">
            {t('History of another chat')}
          </h2>
          <p className="text-muted">
            {t('Conversations from tawk.to, Crisp, Chatwoot, Intercom or another chat, as a CSV or JSON file.')}
          </p>
        </div>
        {!open && (
          <Button variant="secondary" size="sm" aria-label={t('Import history')} onClick={() => setOpen(true)}>
            {t('Import')}
          </Button>
        )}
      </div>
      {open && (
        <div className="border-t p-4">
          <ImportHistory siteId={site._id} />
        </div>
      )}
    </section>
  );
}
