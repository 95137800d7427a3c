import { Bookmark, BookmarkPlus, Check, ChevronDown, Inbox, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { type Choices, DEFAULT_CHOICES } from '#features/chats';
import { t } from '../../../lib/i18n.ts';
import { DropdownMenu, MenuItem } from '../../../ui/DropdownMenu.tsx';
import { lazyDialog } from '../../../ui/lazyPart.tsx';
import { choicesOfView, currentView, useSavedViews } from './savedViews.ts';

const SaveView = lazyDialog(async () => (await import('./ViewDialogs.tsx')).SaveView);
const ManageViews = lazyDialog(async () => (await import('./ViewDialogs.tsx')).ManageViews);

interface ViewMenuProps {
  choices: Choices;
  onChoose: (change: Partial<Choices>) => void;
  /** Whether the dialog that saves a view is open: the filters offer it, too. */
  saving: boolean;
  onSaving: (saving: boolean) => void;
}

/** The list's title: which saved view it shows, and a menu with all of them. */
export function ViewMenu({ choices, onChoose, saving, onSaving }: ViewMenuProps) {
  const views = useSavedViews();
  const [managing, setManaging] = useState(false);
  const current = currentView(views, choices);
  const isDefault = JSON.stringify(choices) === JSON.stringify(DEFAULT_CHOICES);
  return (
    <div className="me-auto min-w-0">
      <DropdownMenu
        align="start"
        label={t('Views')}
        trigger={
          <button
            type="button"
            aria-label={t('View: {name}', { name: current?.name ?? t('Chat Inbox') })}
            className="flex h-9 max-w-full items-center gap-1 rounded-control px-1 text-xl font-semibold hover:bg-text/5"
          >
            <span dir="auto" className="truncate">
              {current?.name ?? t('Chat Inbox')}
            </span>
            <ChevronDown size={18} aria-hidden className="shrink-0 text-muted" />
          </button>
        }
      >
        <MenuItem
          icon={isDefault ? <Check size={16} /> : <Inbox size={16} />}
          onSelect={() => onChoose(DEFAULT_CHOICES)}
        >
          {t('All chats')}
        </MenuItem>
        {views.map((view) => (
          <MenuItem
            key={view._id}
            icon={view === current ? <Check size={16} /> : <Bookmark size={16} />}
            onSelect={() => onChoose(choicesOfView(view))}
          >
            <span dir="auto" className="block truncate">
              {view.name}
            </span>
          </MenuItem>
        ))}
        {!current && !isDefault && (
          <MenuItem icon={<BookmarkPlus size={16} />} onSelect={() => onSaving(true)}>
            {t('Save this view')}
          </MenuItem>
        )}
        {views.length > 0 && (
          <MenuItem icon={<ListChecks size={16} />} onSelect={() => setManaging(true)}>
            {t('Manage views')}
          </MenuItem>
        )}
      </DropdownMenu>
      <SaveView open={saving} onOpenChange={onSaving} choices={choices} />
      <ManageViews open={managing} onOpenChange={setManaging} views={views} />
    </div>
  );
}
