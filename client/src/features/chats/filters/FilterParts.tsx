import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { Site, TeamMember } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { translated } from '../../../shared/translated.ts';
import { Button } from '../../../ui/Button.tsx';
import { Sheet } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { useEverybody } from '../../team/api.ts';
import { type Choices, DEFAULT_CHOICES } from '../url.ts';

/** Stands for 'not filtered' in a select, whose values may not be empty. */
const ALL = 'all';
const SORTS = [
  { value: 'activity', label: msg('Latest activity') },
  { value: 'waiting', label: msg('Longest waiting') },
] as const;

export interface FilterProps {
  choices: Choices;
  sites: readonly Site[];
  userId: string;
  onChoose: (change: Partial<Choices>) => void;
}

/** The chosen filters, each with a button that removes it. */
export function FilterChips({ choices, sites, userId, onChoose }: FilterProps) {
  const people = useEverybody().data ?? [];
  return (
    <ul aria-label={t('Filters')} className="flex flex-wrap gap-1.5">
      {chipsOf(choices, sites, people, userId).map(({ label, change }) => (
        <li key={label} className="max-w-full">
          <button
            type="button"
            aria-label={t('Remove the filter {label}', { label })}
            onClick={() => onChoose(change)}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-full bg-accent-soft pe-1.5 ps-2.5 text-xs font-medium text-accent-strong hover:bg-accent/20"
          >
            <span dir="auto" className="truncate">
              {label}
            </span>
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

function chipsOf(
  { site, agent, unread, tag, sort }: Choices,
  sites: readonly Site[],
  people: readonly TeamMember[],
  userId: string,
): Chip[] {
  const name = sites.find(({ _id }) => _id === site)?.name ?? t('Another website');
  return [
    ...(site !== null ? [{ label: name, change: { site: null } }] : []),
    ...(agent !== null && agent !== 'me' ? [{ label: agentName(agent, people, userId), change: { agent: null } }] : []),
    ...(tag !== null ? [{ label: `#${tag}`, change: { tag: null } }] : []),
    ...(unread ? [{ label: t('Unread'), change: { unread: false } }] : []),
    ...(sort === 'waiting' ? [{ label: t('Longest waiting'), change: { sort: 'activity' as const } }] : []),
  ];
}

function agentName(agent: string, people: readonly TeamMember[], userId: string): string {
  if (agent === 'none') return t('Unassigned');
  if (agent === userId) return t('Me');
  return people.find(({ _id }) => _id === agent)?.name ?? t('Another teammate');
}

interface FilterSheetProps extends FilterProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSave: () => void;
}

/** All filters. They take effect at once, behind the sheet. */
export function FilterSheet({ open, onOpenChange, onSave, ...filters }: FilterSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title={t('Filter chats')}>
      <FilterFields {...filters} />
      <div className="flex flex-wrap gap-2 pt-6">
        <Button variant="ghost" className="me-auto" onClick={() => filters.onChoose(DEFAULT_CHOICES)}>
          {t('Clear all')}
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            onOpenChange(false);
            onSave();
          }}
        >
          {t('Save view')}
        </Button>
        <Button onClick={() => onOpenChange(false)}>{t('Done')}</Button>
      </div>
    </Sheet>
  );
}

function FilterFields({ choices, sites, userId, onChoose }: FilterProps) {
  const people = useEverybody();
  const tags = useTags(choices.site);
  const { agent, tag } = choices;
  const agents = [
    { value: ALL, label: t('Anybody') },
    { value: 'me', label: t('Me') },
    { value: 'none', label: t('Unassigned') },
    ...withChosen(
      (people.data ?? []).filter(({ _id }) => _id !== userId).map(({ _id, name }) => ({ value: _id, label: name })),
      agent === null || agent === 'me' || agent === 'none'
        ? null
        : { value: agent, label: agentName(agent, people.data ?? [], userId) },
    ),
  ];
  return (
    <div className="flex flex-col gap-4 pt-4">
      {sites.length > 1 && (
        <Field label={t('Website')}>
          <Select
            value={choices.site ?? ALL}
            onValueChange={(site) => onChoose({ site: site === ALL ? null : site })}
            options={[
              { value: ALL, label: t('All websites') },
              ...sites.map((site) => ({ value: site._id, label: site.name })),
            ]}
          />
        </Field>
      )}
      <Field label={t('Agent')} error={people.isError ? t('The team could not be loaded.') : undefined}>
        <Select
          value={agent ?? ALL}
          onValueChange={(next) => onChoose({ agent: next === ALL ? null : next })}
          options={agents}
        />
      </Field>
      <Field label={t('Tag')} error={tags.isError ? t('The tags could not be loaded.') : undefined}>
        <Select
          // A tag may have the name of the choice for all.
          value={tag === null ? ALL : `#${tag}`}
          onValueChange={(next) => onChoose({ tag: next === ALL ? null : next.slice(1) })}
          options={[
            { value: ALL, label: t('Any, or none') },
            ...withChosen((tags.data ?? []).map(tagOption), tag === null ? null : tagOption(tag)),
          ]}
        />
      </Field>
      <Field label={t('Sort by')}>
        <Select
          value={choices.sort}
          onValueChange={(sort) => onChoose({ sort })}
          options={translated(SORTS)}
          // Search results have their own order.
          disabled={choices.search !== ''}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="font-medium">
          {t('Only unread')}
        </span>
        <Switch label={t('Only unread')} checked={choices.unread} onCheckedChange={(unread) => onChoose({ unread })} />
      </div>
    </div>
  );
}

interface Option {
  value: string;
  label: string;
}

const tagOption = (tag: string): Option => ({ value: `#${tag}`, label: tag });

/** The options with the chosen one, which may be of an old address or beyond what the server offers. */
function withChosen(options: Option[], chosen: Option | null): Option[] {
  return chosen && options.every(({ value }) => value !== chosen.value) ? [...options, chosen] : options;
}

/** The tags that chats of a site have, or with null those of all the user's sites. */
export function useTags(site: string | null) {
  return useQuery({
    queryKey: keys.tags(site),
    queryFn: async ({ signal }) =>
      (await call('GET /inbox/tags', { query: site === null ? {} : { siteId: site }, signal })).tags,
    staleTime: 0,
  });
}
