import { Inbox, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Site } from 'server/contract';
import { type Choices, DEFAULT_CHOICES, isFiltered } from '#features/chats';
import { t } from '../../../lib/i18n.ts';
import { paths } from '../../../lib/paths.ts';
import { rich } from '../../../lib/rich.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';

interface EmptyInboxProps {
  choices: Choices;
  sites: readonly Site[];
  onChoose: (change: Choices) => void;
}

/** What an empty inbox shows, with the next step: other filters, the embed code, or a first website. */
export function EmptyInbox({ choices, sites, onChoose }: EmptyInboxProps) {
  if (isFiltered(choices)) {
    return (
      <EmptyState
        icon={Inbox}
        title={t('No chats found')}
        text={t('Nothing fits these filters right now.')}
        action={
          <Button variant="secondary" size="sm" onClick={() => onChoose(DEFAULT_CHOICES)}>
            {t('Show all chats')}
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title={t('No chats found')}
      text={
        sites.length > 0
          ? t('They appear here as soon as a visitor writes. Is the embed code in your pages?')
          : t('Add your website first; then visitors can write to you.')
      }
      action={
        <Button asChild variant="secondary" size="sm">
          {sites.length > 0 ? (
            <Link to={paths.sites}>{t('Get the embed code')}</Link>
          ) : (
            <Link to={paths.newSite}>{t('Add Website')}</Link>
          )}
        </Button>
      }
    />
  );
}

/** What stands in the place of a chat while none is open: the most important keys. */
export function NothingOpen() {
  return (
    <div className="flex flex-1 items-center justify-center">
      <EmptyState
        icon={MessagesSquare}
        title={t('Select a chat to start messaging')}
        text={
          <span className="leading-7">
            {rich(
              '<j>J</j> and <k>K</k> move in the list, <enter>Enter</enter> opens, <c>C</c> claims, <r>R</r> answers, <help>?</help> shows all keys.',
              { j: key, k: key, enter: key, c: key, r: key, help: key },
            )}
          </span>
        }
      />
    </div>
  );
}

function key(name: string) {
  return <kbd className="rounded-small border bg-surface px-1.5 py-0.5 font-sans text-xs text-text">{name}</kbd>;
}
