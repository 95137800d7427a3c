import { useId } from 'react';
import type { DepartmentReport, Site } from 'server/contract';
import { plural, t } from '../../lib/i18n.ts';
import { ReportCard } from './ReportCard.tsx';
import { ReportTable } from './ReportTable.tsx';

interface DepartmentsCardProps {
  departments: readonly DepartmentReport[];
  /** Whose departments they are; of several, each is named with its website. */
  sites: readonly Site[];
  days: number;
  onExport: () => void;
}

/** The chats of each department, as a table that can be sorted and saved. */
export function DepartmentsCard({ departments, sites, days, onExport }: DepartmentsCardProps) {
  const titleId = useId();
  const isOfSeveral = new Set(departments.map(({ siteId }) => siteId)).size > 1;
  const rows = departments.map(({ department, siteId, ...figures }) => {
    const name = department.name ?? t('Deleted department');
    const site = isOfSeveral ? sites.find(({ _id }) => _id === siteId) : undefined;
    return {
      key: department._id,
      name: site ? `${name} · ${site.name}` : name,
      isGone: department.name === null,
      figures,
    };
  });
  return (
    <ReportCard
      titleId={titleId}
      title={t('Departments')}
      text={
        <>
          {plural(
            days,
            'Chats of the last {count} day, times as medians.',
            'Chats of the last {count} days, times as medians.',
          )}{' '}
          {t('Missed chats were closed without an answer.')}
        </>
      }
      onExport={onExport}
    >
      <ReportTable titleId={titleId} label={t('Departments, table')} head={t('Department')} rows={rows} hasChats />
    </ReportCard>
  );
}
