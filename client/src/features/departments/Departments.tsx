import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DEPARTMENTS_MAX, type Site } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { idsMoved } from '../../shared/changeList.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ListSection } from '../../ui/ListSection.tsx';
import { useChangeDepartments, useDepartments } from './api.ts';
import { DepartmentForm } from './DepartmentForm.tsx';
import { DepartmentRow } from './DepartmentRow.tsx';

/** The departments of a site: who gets which chats. */
export function Departments({ site }: { site: Site }) {
  const list = useDepartments(site._id);
  const changing = useChangeDepartments(site._id);
  const order = useAction(changing, { failure: t('The order could not be changed.') });
  const [adding, setAdding] = useState(false);
  return (
    <>
      <ListSection
        id="departments"
        title={t('Departments')}
        text={t(
          'Departments, such as Orders or Invoices, bring each chat to the right people first; everybody who may answer can still read and help.',
        )}
        list={list}
        loading={t('Loading departments')}
        failure={t('The departments could not be loaded.')}
        full={t('A website can have up to {max} departments. Delete one to add another.', { max: DEPARTMENTS_MAX })}
        max={DEPARTMENTS_MAX}
        add={
          <Button variant="secondary" onClick={() => setAdding(true)}>
            <Plus size={18} aria-hidden />
            {t('Add department')}
          </Button>
        }
      >
        {(departments) => {
          const move = (from: number, to: number) => void order({ do: 'order', ids: idsMoved(departments, from, to) });
          return departments.length === 0 ? (
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
          );
        }}
      </ListSection>
      <Dialog open={adding} onOpenChange={setAdding} title={t('Add department')}>
        <DepartmentForm site={site} onDone={() => setAdding(false)} />
      </Dialog>
    </>
  );
}
