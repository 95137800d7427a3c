import { useQuery } from '@tanstack/react-query';
import type { Site, StorageUse } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { formatBytes } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Meter } from '../../../ui/Meter.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';

/** What the site's messages and files take, and how much is left. */
export function StorageUsage({ site }: { site: Site }) {
  const { data: usage, isError, refetch } = useUsage(site._id);
  return (
    <section aria-labelledby="storage" className="flex flex-col gap-4 border-t pt-6">
      <div>
        <h2 id="storage" className="text-base font-semibold">
          {t('Storage')}
        </h2>
        <p className="pt-0.5 text-muted">
          {t('When it is full, new messages or files are refused. Deleting chats frees space at once.')}
        </p>
      </div>
      {usage ? (
        <div className="flex flex-col gap-4">
          <Use label={t('Messages and notes')} use={usage.text} />
          <Use label={t('Files')} use={usage.files} />
        </div>
      ) : isError ? (
        <div className="flex flex-wrap items-center gap-3">
          <p className="text-muted">{t('The figures could not be loaded.')}</p>
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            {t('Try again')}
          </Button>
        </div>
      ) : (
        <Skeleton className="h-20 w-full" />
      )}
    </section>
  );
}

function useUsage(id: string) {
  return useQuery({
    queryKey: keys.usage(id),
    queryFn: async ({ signal }) => (await call('GET /sites/:id/usage', { params: { id }, signal })).usage,
    staleTime: 0,
  });
}

function Use({ label, use: { bytes, max } }: { label: string; use: StorageUse }) {
  const text =
    max === null ? formatBytes(bytes) : t('{size} of {max}', { size: formatBytes(bytes), max: formatBytes(max) });
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{label}</span>
        <span className="text-muted tabular-nums">{text}</span>
      </div>
      {max !== null && <Meter label={label} percent={(bytes / max) * 100} text={text} />}
    </div>
  );
}
