import { Search as SearchIcon } from 'lucide-react';
import { type ComponentProps, useState } from 'react';
import type { Chat } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { onDemand } from '../../ui/onDemand.ts';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import { NotificationBell, type UnreadChats } from './NotificationBell.tsx';
import type { SearchProps } from './SearchBox.tsx';
import { SitePicker } from './SitePicker.tsx';
import { SEARCH_FIELD, SEARCH_PLACEHOLDER } from './searchField.ts';

interface TopBarProps {
  site: ComponentProps<typeof SitePicker>;
  chats: readonly Chat[];
  unread: UnreadChats;
}

/** The bar at the top. On phones the search box replaces the rest of it while it is open. */
export function TopBar({ site, chats, unread }: TopBarProps) {
  const [searching, setSearching] = useState(false);
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b bg-surface px-2 sm:px-4">
      <SearchBoxSlot
        key={String(searching)}
        sites={site.sites}
        chats={chats}
        autoFocus={searching}
        onDone={() => setSearching(false)}
        className={searching ? '' : 'max-md:hidden'}
      />
      <div className={cx('flex min-w-0 flex-1 items-center justify-end gap-1', searching && 'max-md:hidden')}>
        <div className="me-auto min-w-0 md:me-1 md:ms-auto">
          <SitePicker {...site} />
        </div>
        <AvailabilitySlot />
        <IconButton label={t('Search')} className="md:hidden" onClick={() => setSearching(true)}>
          <SearchIcon size={18} aria-hidden />
        </IconButton>
        <NotificationBell unread={unread} />
        <span className="max-md:hidden">
          <ThemeSwitch />
        </span>
      </div>
    </header>
  );
}

const availability = onDemand(() => import('./AvailabilitySwitch.tsx'));

/** The Online switch, which works once there is a connection: it is loaded meanwhile. Until then its place is kept. */
function AvailabilitySlot() {
  const loaded = availability.usePart(true);
  return loaded ? <loaded.AvailabilitySwitch /> : <span className="h-5 w-11 lg:w-24" />;
}

const box = onDemand(() => import('./SearchBox.tsx'));

/** The search box, loaded after the first screen; until then a disabled field keeps its place. */
function SearchBoxSlot(props: SearchProps) {
  const loaded = box.usePart(true);
  if (loaded) return <loaded.SearchBox {...props} />;
  return (
    <div className={cx('relative min-w-0 flex-1 md:max-w-md', props.className)}>
      <SearchIcon size={16} aria-hidden className="absolute top-3 start-3 text-muted" />
      <input disabled aria-label={t('Search')} placeholder={t(SEARCH_PLACEHOLDER)} className={SEARCH_FIELD} />
    </div>
  );
}
