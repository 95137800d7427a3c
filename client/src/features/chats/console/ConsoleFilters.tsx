import type { RefObject } from 'react';
import type { Site } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { Select } from '../../../ui/Select.tsx';
import { SearchBox } from '../list/ChatSearch.tsx';
import type { Choices } from '../url.ts';

const STATUSES = [
  { value: 'all', label: 'All Chats' },
  { value: 'active', label: 'Active' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'closed', label: 'Closed' },
] as const;

interface ConsoleFiltersProps {
  site: Site;
  choices: Choices;
  search: RefObject<HTMLInputElement | null>;
  onChoose: (change: Partial<Choices>) => void;
  /** On a phone, which shows one chat then: only its name is left, for those who hear the page. */
  folded: boolean;
}

/** The console's head: whose chats they are, and which of them are listed. */
export function ConsoleFilters({ site, choices, search, onChoose, folded }: ConsoleFiltersProps) {
  return (
    <div
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-6 gap-y-3 border-b bg-surface px-4 py-3',
        folded && 'max-md:contents',
      )}
    >
      <h1
        dir="auto"
        className={cx('min-w-0 flex-1 basis-56 truncate text-xl font-semibold', folded && 'max-md:sr-only')}
      >
        Chats - {site.name}
      </h1>
      <div className={cx('flex w-full gap-2 sm:w-auto', folded && 'max-md:hidden')}>
        <div className="w-34 shrink-0">
          <Select
            label="Status"
            value={choices.status}
            onValueChange={(status) => onChoose({ status })}
            options={STATUSES}
            className="h-9!"
          />
        </div>
        <div className="flex min-w-0 flex-1 sm:w-64">
          <SearchBox
            field={search}
            label="Search chats"
            placeholder="Search chats"
            value={choices.search}
            onSearch={(words) => onChoose({ search: words })}
          />
        </div>
      </div>
    </div>
  );
}
