import { MessagesSquare } from 'lucide-react';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { onDemand } from '../../../ui/onDemand.ts';
import type { NoChatsProps } from './NoChats.tsx';

const noChats = onDemand(() => import('./NoChats.tsx'));

/** Where the conversation would be. */
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

/** What an empty list says is fetched with the first one. */
export function NoChats(props: NoChatsProps) {
  const loaded = noChats.usePart(true);
  return loaded && <loaded.NoChats {...props} />;
}
