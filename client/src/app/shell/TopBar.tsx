import { Search as SearchIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { Availability } from './Availability.tsx';
import { Bell } from './Bell.tsx';
import { Search } from './Search.tsx';
import { SitePicker } from './SitePicker.tsx';

interface TopBarProps {
  site: ComponentProps<typeof SitePicker>;
  chats: readonly Chat[];
  unread: readonly Chat[];
}

/** The top edge. A phone shows the search box in place of the rest while it is used. */
export function TopBar({ site, chats, unread }: TopBarProps) {
  const [searching, setSearching] = useState(false);
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-4">
      <Search
        key={String(searching)}
        sites={site.sites}
        chats={chats}
        autoFocus={searching}
        onDone={() => setSearching(false)}
        className={searching ? '' : 'max-md:hidden'}
      />
      <div className={cx('flex min-w-0 flex-1 items-center justify-end gap-1', searching && 'max-md:hidden')}>
        <div className="mr-auto min-w-0 md:mr-1 md:ml-auto">
          <SitePicker {...site} />
        </div>
        <Availability />
        <IconButton label="Search" className="md:hidden" onClick={() => setSearching(true)}>
          <SearchIcon size={18} aria-hidden />
        </IconButton>
        <Bell chats={unread} />
        <span className="max-md:hidden">
          <ThemeSwitch />
        </span>
      </div>
    </header>
  );
}
