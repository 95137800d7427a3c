import { Inbox, MessagesSquare } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Site } from 'server/contract';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { type Choices, DEFAULT_CHOICES, isFiltered } from '../url.ts';

export interface NoChatsProps {
  choices: Choices;
  sites: readonly Site[];
  onChoose: (change: Choices) => void;
}

/** What an empty inbox shows, with the next step: other filters, the embed code, or a first website. */
export function NoChats({ choices, sites, onChoose }: NoChatsProps) {
  if (isFiltered(choices)) {
    return (
      <EmptyState
        icon={Inbox}
        title="No chats found"
        text="Nothing fits these filters right now."
        action={
          <Button variant="secondary" size="sm" onClick={() => onChoose(DEFAULT_CHOICES)}>
            Show all chats
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title="No chats found"
      text={
        sites.length > 0
          ? 'They appear here as soon as a visitor writes. Is the embed code in your pages?'
          : 'Add your website first; then visitors can write to you.'
      }
      action={
        <Button asChild variant="secondary" size="sm">
          {sites.length > 0 ? (
            <Link to={paths.sites}>Get the embed code</Link>
          ) : (
            <Link to={paths.newSite}>Add Website</Link>
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
        title="Select a chat to start messaging"
        text={
          <span className="leading-7">
            <Key>J</Key> and <Key>K</Key> move in the list, <Key>Enter</Key> opens, <Key>C</Key> claims, <Key>R</Key>{' '}
            answers, <Key>?</Key> shows all keys.
          </span>
        }
      />
    </div>
  );
}

function Key({ children }: { children: string }) {
  return <kbd className="rounded-small border bg-surface px-1.5 py-0.5 font-sans text-xs text-text">{children}</kbd>;
}
