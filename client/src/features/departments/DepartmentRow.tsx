import { useState } from 'react';
import type { Department, Site } from 'server/contract';
import { facts, t } from '../../lib/i18n.ts';
import { useAction } from '../../shared/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { MoveButtons } from '../../ui/MoveButtons.tsx';
import { useChangeDepartments } from './api.ts';
import { DepartmentForm, helpText } from './DepartmentForm.tsx';

interface RowProps {
  site: Site;
  department: Department;
  /** Moves it up the list; left out for the first. */
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One department: who is in it, and what can be done with it. */
export function DepartmentRow({ site, department, onUp, onDown }: RowProps) {
  const [open, setOpen] = useState<'form' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const { name } = department;
  const changing = useChangeDepartments(site._id);
  const remove = useAction(changing, {
    success: t('The department is deleted'),
    failure: t('The department could not be deleted.'),
    onSuccess: close,
  });
  const names = site.team.flatMap(({ userId }) => (department.members.includes(userId._id) ? [userId.name] : []));
  return (
    <li aria-label={name} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <h3 dir="auto" className="text-left font-semibold wrap-anywhere rtl:text-right">
          {name}
        </h3>
        <p dir="auto" className="text-left wrap-anywhere rtl:text-right">
          {names.length > 0 ? names.join(', ') : t('No members: its chats go to everybody.')}
        </p>
        <p className="text-muted">
          {facts(
            department.visible ? t('Visitors can choose it') : t('Only the team can choose it'),
            department.hours ? t('Own office hours') : t('Office hours of the website'),
            names.length > 0 && helpText(department.helpAfterMinutes),
          )}
        </p>
      </div>
      <div className="flex items-center gap-1">
        <MoveButtons name={name} onUp={onUp} onDown={onDown} />
        <Button variant="secondary" size="sm" aria-label={t('Edit {name}', { name })} onClick={() => setOpen('form')}>
          {t('Edit')}
        </Button>
        <Button variant="ghost" size="sm" aria-label={t('Delete {name}', { name })} onClick={() => setOpen('delete')}>
          {t('Delete')}
        </Button>
      </div>
      <Dialog open={open === 'form'} onOpenChange={close} title={t('Edit department')}>
        <DepartmentForm site={site} department={department} onDone={close} />
      </Dialog>
      <ConfirmDialog
        open={open === 'delete'}
        onOpenChange={close}
        title={t('Delete department')}
        text={t(
          'The chats of {name} are kept. They belong to no department from then on, and those that wait go to everybody.',
          { name },
        )}
        confirmLabel={t('Delete')}
        onConfirm={() => void remove({ do: 'remove', id: department._id })}
        busy={changing.isPending}
      />
    </li>
  );
}
