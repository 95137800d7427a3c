import { Eye } from 'lucide-react';
import type { RefObject } from 'react';
import type { Site } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { paths } from '../../../lib/paths.ts';
import { IconLink } from '../../../ui/IconLink.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { CHAT_STATUSES, type Choices } from '../url.ts';
import { ChatSearch } from './ChatSearch.tsx';

const ALL_SITES = 'all';
const SORTS = [
  { value: 'activity', label: 'Latest activity' },
  { value: 'waiting', label: 'Longest waiting' },
] as const;

interface InboxFiltersProps {
  choices: Choices;
  sites: readonly Site[];
  searchRef: RefObject<HTMLInputElement | null>;
  onChoose: (change: Partial<Choices>) => void;
}

/** Which chats the list shows, and in which order. */
export function InboxFilters({ choices, sites, searchRef, onChoose }: InboxFiltersProps) {
  const options = [
    { value: ALL_SITES, label: 'All websites' },
    ...sites.map((site) => ({ value: site._id, label: site.name })),
  ];
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b px-3 pt-3 pb-3 md:pt-4">
      <div className="-my-1 flex items-center gap-2 px-1 pb-1">
        <p aria-hidden className="mr-auto text-xl font-semibold">
          Chat Inbox
        </p>
        <IconLink to={choices.site ? paths.siteVisitors(choices.site) : paths.visitors} label="Visitors now">
          <Eye size={18} aria-hidden />
        </IconLink>
        <span className="flex items-center gap-2 text-[13px] font-medium">
          <span aria-hidden>Mine</span>
          <Switch label="Mine" checked={choices.mine} onCheckedChange={(mine) => onChoose({ mine })} />
        </span>
      </div>
      <fieldset className="grid grid-cols-4 gap-0.5 rounded-control bg-text/6 p-0.5">
        <legend className="sr-only">Show chats by status</legend>
        {CHAT_STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={choices.status === status}
            onClick={() => onChoose({ status })}
            className={cx(
              'h-8 rounded-small text-[13px] font-medium capitalize transition-colors',
              choices.status === status
                ? 'bg-surface text-text ring-1 ring-line dark:bg-raised'
                : 'text-muted hover:text-text',
            )}
          >
            {status}
          </button>
        ))}
      </fieldset>
      <ChatSearch
        live
        inputRef={searchRef}
        label="Search in the list"
        placeholder="Name, email or message"
        value={choices.search}
        onSearch={(search) => onChoose({ search })}
      />
      <div className="flex gap-2">
        {sites.length > 1 && (
          <Select
            label="Show chats of"
            value={choices.site ?? ALL_SITES}
            onValueChange={(site) => onChoose({ site: site === ALL_SITES ? null : site })}
            options={options}
            className="h-9!"
          />
        )}
        <Select
          label="Sort by"
          value={choices.sort}
          onValueChange={(sort) => onChoose({ sort })}
          options={SORTS}
          // Search results have their own order.
          disabled={choices.search !== ''}
          className="h-9!"
        />
      </div>
    </div>
  );
}
