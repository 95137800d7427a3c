import type { Department } from 'server/contract';
import { t } from '../../lib/i18n.ts';
import { Button } from '../../ui/Button.tsx';
import { useDepartmentsOf } from './api.ts';

interface ButtonsProps {
  /** The sites of the chats that are given: only one of them has departments that all could go to. */
  sites: readonly string[];
  /** The department that is not offered. */
  except?: string | undefined;
  onChoose: (department: Department) => void;
}

/** The departments that chats can be given to; nothing where there are none. */
export function DepartmentButtons({ sites, except, onChoose }: ButtonsProps) {
  const departments = useDepartmentsOf(sites.length === 1 ? sites : []).filter(({ _id }) => _id !== except);
  if (departments.length === 0) return null;
  return (
    <div className="pt-4">
      <h3 className="pb-1.5 text-xs text-muted">{t('Departments')}</h3>
      <ul aria-label={t('Departments')} className="flex max-h-28 flex-wrap gap-2 overflow-y-auto p-0.5">
        {departments.map((department) => (
          <li key={department._id} className="max-w-full">
            <Button variant="secondary" size="sm" onClick={() => onChoose(department)} className="max-w-full">
              <span dir="auto" className="truncate">
                {department.name}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
