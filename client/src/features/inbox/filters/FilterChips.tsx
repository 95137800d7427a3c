import { X } from 'lucide-react';
import type { DepartmentName, Site, TeamMember } from 'server/contract';
import type { Choices } from '#features/chats';
import { useDepartmentsOf } from '#features/departments';
import { useEverybody } from '#features/team';
import { t } from '../../../lib/i18n.ts';

export interface FilterProps {
  choices: Choices;
  sites: readonly Site[];
  userId: string;
  onChoose: (change: Partial<Choices>) => void;
}

/** The chosen filters, each with a button that removes it. */
export function FilterChips(filters: FilterProps) {
  const people = useEverybody().data ?? [];
  const { choices, sites } = filters;
  const departments = useDepartmentsOf(choices.department === null ? [] : sites.map(({ _id }) => _id));
  return (
    <ul aria-label={t('Filters')} className="flex flex-wrap gap-1.5">
      {chipsOf(filters, people, departments).map(({ label, change }) => (
        <li key={label} className="max-w-full">
          <button
            type="button"
            aria-label={t('Remove the filter {label}', { label })}
            onClick={() => filters.onChoose(change)}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-full bg-accent-soft pe-1.5 ps-2.5 text-xs font-medium text-accent-strong hover:bg-accent/20"
          >
            <span className="truncate">{label}</span>
            <X size={14} aria-hidden className="shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}

interface Chip {
  label: string;
  /** What takes the filter away. */
  change: Partial<Choices>;
}

/** The chosen filters that have no control of their own in the list's head. @param people for the names, as `departments` */
export function chipsOf(
  { choices, sites, userId }: FilterProps,
  people: readonly TeamMember[] = [],
  departments: readonly DepartmentName[] = [],
): Chip[] {
  const { site, agent, unread, tag, department, sort } = choices;
  const name = sites.find(({ _id }) => _id === site)?.name ?? t('Another website');
  return [
    ...(site !== null ? [{ label: name, change: { site: null } }] : []),
    ...(agent !== null && agent !== 'me' ? [{ label: agentName(agent, people, userId), change: { agent: null } }] : []),
    ...(tag !== null ? [{ label: `#${tag}`, change: { tag: null } }] : []),
    ...(department !== null ? [{ label: departmentLabel(department, departments), change: { department: null } }] : []),
    ...(unread ? [{ label: t('Unread'), change: { unread: false } }] : []),
    ...(sort === 'waiting' ? [{ label: t('Longest waiting'), change: { sort: 'activity' as const } }] : []),
  ];
}

/** The department whose chats are listed, as one reads it. */
export function departmentLabel(id: string, departments: readonly DepartmentName[]): string {
  if (id === 'none') return t('No department');
  return departments.find(({ _id }) => _id === id)?.name ?? t('Department');
}

/** The agent whose chats are listed, as one reads it. */
export function agentName(agent: string, people: readonly TeamMember[], userId: string): string {
  if (agent === 'none') return t('Unassigned');
  if (agent === userId) return t('Me');
  return people.find(({ _id }) => _id === agent)?.name ?? t('Another teammate');
}
