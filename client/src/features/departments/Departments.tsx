import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DEPARTMENTS_MAX, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useChangeDepartments, useDepartments } from './api.ts';
import { DepartmentForm } from './DepartmentForm.tsx';
import { DepartmentRow } from './DepartmentRow.tsx';

/** The departments of a site: who gets which chats. */
export function Departments({ site }: { site: Site }) {
  const { data: departments, isPending, refetch } = useDepartments(site._id);
  const changing = useChangeDepartments(site._id);
  const order = useAction(changing, { failure: t('The order could not be changed.') });
  const [adding, setAdding] = useState(false);
  const move = (from: number, to: number) => {
    const ids = departments?.map(({ _id }) => _id) ?? [];
    const [moved] = ids.splice(from, 1);
    if (moved) void order({ do: 'order', ids: ids.toSpliced(to, 0, moved) });
  };
  return (
    <section aria-labelledby="departments" className="flex max-w-3xl flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id="departments" className="text-base font-semibold">
            {t('Departments')}
          </h2>
          <p className="pt-0.5 text-muted">
            {t(
              'Departments, such as Orders or Invoices, bring each chat to the right people first; everybody who may answer can still read and help.',
            )}
          </p>
        </div>
        {departments && departments.length < DEPARTMENTS_MAX && (
          <Button variant="secondary" onClick={() => setAdding(true)}>
            <Plus size={18} aria-hidden />
            {t('Add department')}
          </Button>
        )}
      </div>
      {departments ? (
        departments.length === 0 ? (
          <p className="rounded-card border bg-surface px-4 py-3 text-muted">
            {t('No departments: every chat goes to everybody who may answer.')}
          </p>
        ) : (
          <ol aria-label={t('Departments')} className="divide-y rounded-card border bg-surface">
            {departments.map((department, at) => (
              <DepartmentRow
                key={department._id}
                site={site}
                department={department}
                onUp={at > 0 ? () => move(at, at - 1) : undefined}
                onDown={at < departments.length - 1 ? () => move(at, at + 1) : undefined}
              />
            ))}
          </ol>
        )
      ) : isPending ? (
        <div role="status">
          <span className="sr-only">{t('Loading departments')}</span>
          <Skeleton className="h-24 w-full" />
        </div>
      ) : (
        <ErrorState what={t('The departments could not be loaded.')} onRetry={() => void refetch()} />
      )}
      {departments?.length === DEPARTMENTS_MAX && (
        <p className="text-muted">
          {t('A website can have up to {max} departments. Delete one to add another.', { max: DEPARTMENTS_MAX })}
        </p>
      )}
      <Dialog open={adding} onOpenChange={setAdding} title={t('Add department')}>
        <DepartmentForm site={site} onDone={() => setAdding(false)} />
      </Dialog>
    </section>
  );
}
