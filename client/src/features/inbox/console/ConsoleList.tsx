import { Inbox } from 'lucide-react';
import type { RefObject } from 'react';
import { Link } from 'react-router-dom';
import type { Chat, Site } from 'server/contract';
import { type Choices, StatusBadge } from '#features/chats';
import { cx } from '../../../lib/cx.ts';
import { truncate } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { translated } from '../../../shared/translated.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Select } from '../../../ui/Select.tsx';
import { Time } from '../../../ui/Time.tsx';
import type { RowPlace } from '../list/ChatList.tsx';
import { ChatSearch } from '../list/ChatSearch.tsx';

/** As much of a chat's first message as the widest row has room for. */
const PREVIEW_LENGTH = 120;
const STATUSES = [
  { value: 'all', label: msg('All Chats') },
  { value: 'active', label: msg('Active') },
  { value: 'waiting', label: msg('Waiting') },
  { value: 'assistant', label: msg('With the assistant') },
  { value: 'closed', label: msg('Closed') },
] as const;

interface ConsoleFiltersProps {
  site: Site;
  choices: Choices;
  searchRef: RefObject<HTMLInputElement | null>;
  onChoose: (change: Partial<Choices>) => void;
  /** Whether a chat is open: a phone then shows only the chat, and keeps the heading for screen readers. */
  folded: boolean;
}

/** The console's heading, and which of the website's chats are listed. */
export function ConsoleFilters({ site, choices, searchRef, onChoose, folded }: ConsoleFiltersProps) {
  return (
    <div
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-6 gap-y-3 border-b bg-surface px-4 py-3',
        folded && 'max-md:contents',
      )}
    >
      <h1 className={cx('min-w-0 flex-1 basis-56 truncate text-xl font-semibold', folded && 'max-md:sr-only')}>
        {t('Chats - {name}', { name: site.name })}
      </h1>
      <div className={cx('flex w-full gap-2 sm:w-auto', folded && 'max-md:hidden')}>
        <div className="w-34 shrink-0">
          <Select
            label={t('Status')}
            value={choices.status}
            onValueChange={(status) => onChoose({ status })}
            options={translated(STATUSES).filter(
              ({ value }) => value !== 'assistant' || value === choices.status || site.assistantStep === 'answer',
            )}
            className="h-9!"
          />
        </div>
        <div className="flex min-w-0 flex-1 sm:w-64">
          <ChatSearch
            inputRef={searchRef}
            label={t('Search chats')}
            placeholder={t('Search chats')}
            value={choices.search}
            onSearch={(search) => onChoose({ search })}
          />
        </div>
      </div>
    </div>
  );
}

/** One chat of the console's list, with its first message. */
export function ConsoleRow({ chat, place, to, open }: { chat: Chat; place: RowPlace; to: string; open: boolean }) {
  const [first] = chat.messages;
  return (
    <li {...place} data-row={chat._id} className="h-19 border-b">
      <Link
        to={to}
        aria-current={open || undefined}
        className={cx(
          'flex h-full flex-col justify-center gap-0.5 px-4 py-2 transition-colors focus-visible:-outline-offset-2',
          open ? 'bg-accent-soft' : 'hover:bg-text/4',
        )}
      >
        <span className="flex items-center gap-2">
          <span
            dir="auto"
            className={cx(
              'min-w-0 flex-1 truncate text-left rtl:text-right',
              chat.unread > 0 ? 'font-semibold' : 'font-medium',
            )}
          >
            {visitorName(chat.visitorInfo.name, t('Anonymous Visitor'))}
          </span>
          <StatusBadge {...chat} />
        </span>
        <span dir="auto" className="truncate text-left rtl:text-right">
          {first ? truncate(first.text, PREVIEW_LENGTH) : t('No messages yet')}
        </span>
        <span className="flex items-center gap-2 text-xs text-muted">
          <span className="address truncate">{chat.visitorInfo.email || t('No email')}</span>
          <Time at={chat.metadata.lastActivity} className="shrink-0" />
          {chat.claimedBy && (
            <span className="min-w-0 flex-1 truncate text-end">
              {t('Claimed by {name}', { name: chat.claimedBy.name })}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}

interface NoConsoleChatsProps {
  choices: Choices;
  site: Site;
  onChoose: (change: Partial<Choices>) => void;
}

/** What an empty console shows, with the next step: other filters, or the embed code. */
export function NoConsoleChats({ choices, site, onChoose }: NoConsoleChatsProps) {
  const isFiltered = choices.status !== 'all' || choices.search !== '';
  return (
    <EmptyState
      icon={Inbox}
      title={t('No chats yet')}
      text={isFiltered ? t('Nothing fits these filters right now.') : t('Chats from your website will appear here')}
      action={
        isFiltered ? (
          <Button variant="secondary" size="sm" onClick={() => onChoose({ status: 'all', search: '' })}>
            {t('Show all chats')}
          </Button>
        ) : (
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.embedCode(site._id)}>{t('Get the embed code')}</Link>
          </Button>
        )
      }
    />
  );
}
