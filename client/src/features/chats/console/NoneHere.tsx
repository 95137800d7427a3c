import { Inbox } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Site } from 'server/contract';
import { paths } from '../../../lib/paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import type { Choices } from '../url.ts';

interface NoneHereProps {
  choices: Choices;
  site: Site;
  onChoose: (change: Partial<Choices>) => void;
}

/** An empty console, and the next step towards a full one. */
export function NoneHere({ choices, site, onChoose }: NoneHereProps) {
  const narrowed = choices.status !== 'all' || choices.search !== '';
  return (
    <EmptyState
      icon={Inbox}
      title="No chats yet"
      text={narrowed ? 'Nothing fits these filters right now.' : 'Chats from your website will appear here'}
      action={
        narrowed ? (
          <Button variant="secondary" size="sm" onClick={() => onChoose({ status: 'all', search: '' })}>
            Show all chats
          </Button>
        ) : (
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.embedCode(site._id)}>Get the embed code</Link>
          </Button>
        )
      }
    />
  );
}
