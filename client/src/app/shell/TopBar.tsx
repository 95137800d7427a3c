import { Search as SearchIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { NotificationBell } from './NotificationBell.tsx';
import { SitePicker } from './SitePicker.tsx';

const AvailabilitySwitch = lazyPart(async () => (await import('./AvailabilitySwitch.tsx')).AvailabilitySwitch, {
  place: 'line',
  waiting: <span className="h-5 w-11 lg:w-24" />,
});
const SearchBox = lazyPart(async () => (await import('./SearchBox.tsx')).SearchBox, {
  place: 'line',
  waiting: <div className="h-10 rounded-control border bg-background" />,
});

interface TopBarProps {
  site: ComponentProps<typeof SitePicker>;
  chats: readonly Chat[];
}

/** The bar at the top. On phones the search box replaces the rest of it while it is open. */
export function TopBar({ site, chats }: TopBarProps) {
  const [searching, setSearching] = useState(false);
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-4">
      <div className={cx('relative min-w-0 flex-1 md:max-w-md', !searching && 'max-md:hidden')}>
        <SearchBox
          key={String(searching)}
          sites={site.sites}
          chats={chats}
          autoFocus={searching}
          onDone={() => setSearching(false)}
        />
      </div>
      <div className={cx('flex min-w-0 flex-1 items-center justify-end gap-1', searching && 'max-md:hidden')}>
        <div className="me-auto min-w-0 md:me-1 md:ms-auto">
          <SitePicker {...site} />
        </div>
        <AvailabilitySwitch />
        <IconButton label={t('Search')} className="md:hidden" onClick={() => setSearching(true)}>
          <SearchIcon size={18} aria-hidden />
        </IconButton>
        <NotificationBell />
        <span className="max-md:hidden">
          <ThemeSwitch />
        </span>
      </div>
    </header>
  );
}
