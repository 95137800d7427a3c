import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import type { Site, TeamMember } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
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
  { value: 'activity', label: 'Latest activity' },
  { value: 'waiting', label: 'Longest waiting' },
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
    <ul aria-label="Filters" className="flex flex-wrap gap-1.5">
      {chipsOf(choices, sites, people, userId).map(({ label, change }) => (
        <li key={label} className="max-w-full">
          <button
            type="button"
            aria-label={`Remove the filter ${label}`}
            onClick={() => onChoose(change)}
            className="inline-flex h-7 max-w-full items-center gap-1 rounded-full bg-accent-soft pr-1.5 pl-2.5 text-xs font-medium text-accent-strong hover:bg-accent/20"
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
  const name = sites.find(({ _id }) => _id === site)?.name ?? 'Another website';
  return [
    ...(site !== null ? [{ label: name, change: { site: null } }] : []),
    ...(agent !== null && agent !== 'me' ? [{ label: agentName(agent, people, userId), change: { agent: null } }] : []),
    ...(tag !== null ? [{ label: `#${tag}`, change: { tag: null } }] : []),
    ...(unread ? [{ label: 'Unread', change: { unread: false } }] : []),
    ...(sort === 'waiting' ? [{ label: 'Longest waiting', change: { sort: 'activity' as const } }] : []),
  ];
}

function agentName(agent: string, people: readonly TeamMember[], userId: string): string {
  if (agent === 'none') return 'Unassigned';
  if (agent === userId) return 'Me';
  return people.find(({ _id }) => _id === agent)?.name ?? 'Another teammate';
}

interface FilterSheetProps extends FilterProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onSave: () => void;
}

/** All filters. They take effect at once, behind the sheet. */
export function FilterSheet({ open, onOpenChange, onSave, ...filters }: FilterSheetProps) {
  return (
    <Sheet open={open} onOpenChange={onOpenChange} title="Filter chats">
      <FilterFields {...filters} />
      <div className="flex flex-wrap gap-2 pt-6">
        <Button variant="ghost" className="mr-auto" onClick={() => filters.onChoose(DEFAULT_CHOICES)}>
          Clear all
        </Button>
        <Button
          variant="secondary"
          onClick={() => {
            onOpenChange(false);
            onSave();
          }}
        >
          Save view
        </Button>
        <Button onClick={() => onOpenChange(false)}>Done</Button>
      </div>
    </Sheet>
  );
}

function FilterFields({ choices, sites, userId, onChoose }: FilterProps) {
  const people = useEverybody();
  const tags = useTags(choices.site);
  const { agent, tag } = choices;
  const agents = [
    { value: ALL, label: 'Anybody' },
    { value: 'me', label: 'Me' },
    { value: 'none', label: 'Unassigned' },
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
        <Field label="Website">
          <Select
            value={choices.site ?? ALL}
            onValueChange={(site) => onChoose({ site: site === ALL ? null : site })}
            options={[
              { value: ALL, label: 'All websites' },
              ...sites.map((site) => ({ value: site._id, label: site.name })),
            ]}
          />
        </Field>
      )}
      <Field label="Agent" error={people.isError ? 'The team could not be loaded.' : undefined}>
        <Select
          value={agent ?? ALL}
          onValueChange={(next) => onChoose({ agent: next === ALL ? null : next })}
          options={agents}
        />
      </Field>
      <Field label="Tag" error={tags.isError ? 'The tags could not be loaded.' : undefined}>
        <Select
          // A tag may have the name of the choice for all.
          value={tag === null ? ALL : `#${tag}`}
          onValueChange={(next) => onChoose({ tag: next === ALL ? null : next.slice(1) })}
          options={[
            { value: ALL, label: 'Any, or none' },
            ...withChosen((tags.data ?? []).map(tagOption), tag === null ? null : tagOption(tag)),
          ]}
        />
      </Field>
      <Field label="Sort by">
        <Select
          value={choices.sort}
          onValueChange={(sort) => onChoose({ sort })}
          options={SORTS}
          // Search results have their own order.
          disabled={choices.search !== ''}
        />
      </Field>
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden className="font-medium">
          Only unread
        </span>
        <Switch label="Only unread" checked={choices.unread} onCheckedChange={(unread) => onChoose({ unread })} />
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
