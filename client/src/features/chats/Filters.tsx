import type { Site } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { Select } from '../../ui/Select.tsx';
import type { ChatFilter } from './rows.ts';
import { CHAT_STATUSES } from './url.ts';

const ALL_SITES = 'all';

interface FiltersProps {
  filter: ChatFilter;
  sites: readonly Site[];
  onChoose: (change: { status?: ChatFilter['status']; site?: string | null }) => void;
}

/** Which chats the list shows: by status, and by site where there are several. */
export function Filters({ filter, sites, onChoose }: FiltersProps) {
  const options = [
    { value: ALL_SITES, label: 'All websites' },
    ...sites.map((site) => ({ value: site._id, label: site.name })),
  ];
  return (
    <div className="flex shrink-0 flex-col gap-3 border-b p-3">
      <fieldset className="grid grid-cols-4 gap-0.5 rounded-control bg-text/6 p-0.5">
        <legend className="sr-only">Show chats by status</legend>
        {CHAT_STATUSES.map((status) => (
          <button
            key={status}
            type="button"
            aria-pressed={filter.status === status}
            onClick={() => onChoose({ status })}
            className={cx(
              'h-8 rounded-small text-[13px] font-medium capitalize transition-colors',
              filter.status === status
                ? 'bg-surface text-text ring-1 ring-line dark:bg-raised'
                : 'text-muted hover:text-text',
            )}
          >
            {status}
          </button>
        ))}
      </fieldset>
      {sites.length > 1 && (
        <Select
          label="Show chats of"
          value={filter.site ?? ALL_SITES}
          onValueChange={(site) => onChoose({ site: site === ALL_SITES ? null : site })}
          options={options}
          className="h-9!"
        />
      )}
    </div>
  );
}
