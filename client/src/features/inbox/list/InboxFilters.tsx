import { SlidersHorizontal } from 'lucide-react';
import { type RefObject, useState } from 'react';
import { COUNT_MAX, type CountsQuery, type InboxCounts } from 'server/contract';
import { CHAT_STATUSES, type Choices, useCounts } from '#features/chats';
import { cx } from '../../../lib/cx.ts';
import { plural, t } from '../../../lib/i18n.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { lazyDialog, lazyPart } from '../../../ui/lazyPart.tsx';
import { Switch } from '../../../ui/Switch.tsx';
import { chipsOf, FilterChips, type FilterProps } from '../filters/FilterChips.tsx';
import { ChatSearch } from './ChatSearch.tsx';

const ViewMenu = lazyPart(async () => (await import('../filters/ViewMenu.tsx')).ViewMenu, {
  place: 'line',
  waiting: <ListTitle />,
});
const FilterSheet = lazyDialog(async () => (await import('../filters/FilterSheet.tsx')).FilterSheet);

interface InboxFiltersProps extends FilterProps {
  searchRef: RefObject<HTMLInputElement | null>;
  /** Whether the sheet with all filters is open. */
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Which chats the list shows, and in which order. */
export function InboxFilters({ searchRef, open, onOpenChange, ...filters }: InboxFiltersProps) {
  const { choices, onChoose } = filters;
  const [saving, setSaving] = useState(false);
  const chosen = chipsOf(filters).length;
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b px-3 pt-3 pb-3 md:pt-4">
      <div className="-my-1 flex items-center gap-2 pe-1 pb-1">
        <ViewMenu choices={choices} onChoose={onChoose} saving={saving} onSaving={setSaving} />
        <span className="flex items-center gap-2 text-[13px] font-medium">
          <span aria-hidden>{t('Mine')}</span>
          <Switch
            label={t('Mine')}
            checked={choices.agent === 'me'}
            onCheckedChange={(mine) => onChoose({ agent: mine ? 'me' : null })}
          />
        </span>
      </div>
      <StatusTabs choices={choices} sites={filters.sites} onChoose={onChoose} />
      <div className="flex gap-1">
        <ChatSearch
          live
          inputRef={searchRef}
          label={t('Search in the list')}
          placeholder={t('Name, email or message')}
          value={choices.search}
          onSearch={(search) => onChoose({ search })}
        />
        <IconButton
          label={chosen > 0 ? plural(chosen, 'Filters, {count} chosen', 'Filters, {count} chosen') : t('Filters')}
          aria-haspopup="dialog"
          onClick={() => onOpenChange(true)}
          className={cx('relative size-9!', chosen > 0 && 'text-accent-strong!')}
        >
          <SlidersHorizontal size={18} aria-hidden />
        </IconButton>
      </div>
      {chosen > 0 && <FilterChips {...filters} />}
      <FilterSheet {...filters} open={open} onOpenChange={onOpenChange} onSave={() => setSaving(true)} />
    </div>
  );
}

/** Keeps the place of the menu of views. */
function ListTitle() {
  return (
    <p aria-hidden className="me-auto h-9 px-1 text-xl/9 font-semibold">
      {t('Chat Inbox')}
    </p>
  );
}

function StatusTabs({ choices, sites, onChoose }: Pick<InboxFiltersProps, 'choices' | 'sites' | 'onChoose'>) {
  // Of unread chats and search results, the server does not count each status.
  const counts = useCounts(countsQuery(choices), !choices.unread && choices.search === '');
  const isAnswering = sites.some(({ assistantStep }) => assistantStep === 'answer');
  const rare = { snoozed: counts?.snoozed, assistant: counts?.assistant || isAnswering };
  const isShown = (status: string) =>
    !(status in rare) || rare[status as keyof typeof rare] || choices.status === status;
  const shown = CHAT_STATUSES.filter(isShown);
  return (
    <fieldset
      className={cx(
        'gap-0.5 rounded-control bg-text/6 p-0.5',
        // All of them need two lines: none stands alone in the second.
        shown.length === CHAT_STATUSES.length ? 'grid grid-cols-3' : 'flex flex-wrap',
      )}
    >
      <legend className="sr-only">{t('Show chats by status')}</legend>
      {shown.map((status) => (
        <button
          key={status}
          type="button"
          aria-pressed={choices.status === status}
          onClick={() => onChoose({ status })}
          className={cx(
            'h-8 grow rounded-small px-1 text-[13px] font-medium whitespace-nowrap transition-colors',
            choices.status === status
              ? 'bg-surface text-text ring-1 ring-line dark:bg-raised'
              : 'text-muted hover:text-text',
          )}
        >
          <span className="inline-block first-letter:uppercase">{t(status)}</span>
          <Count of={counts?.[status as keyof InboxCounts]} />
        </button>
      ))}
    </fieldset>
  );
}

function Count({ of: count }: { of: number | undefined }) {
  if (!count) return null;
  return (
    <span className="ps-1 text-[11px] text-muted tabular-nums">{count >= COUNT_MAX ? `${COUNT_MAX - 1}+` : count}</span>
  );
}

function countsQuery({ site, agent, tag, department }: Choices): CountsQuery {
  return {
    ...(site !== null && { siteId: site }),
    ...(agent !== null && { claimedBy: agent }),
    ...(tag !== null && { tag }),
    ...(department !== null && { department }),
  };
}
