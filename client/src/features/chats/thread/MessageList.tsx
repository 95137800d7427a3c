import type { Receipts } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime, formatRelativeDay, formatTime } from '../../../lib/format.ts';
import type { Entry } from '../model/timeline.ts';
import type { Sending } from '../outbox/sending.ts';
import { Group } from './Group.tsx';
import { NoteCard } from './NoteCard.tsx';

interface MessagesProps {
  entries: readonly Entry[];
  visitorName: string;
  receipts: Receipts | null;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

/** What was said, in order. */
export function Messages({ entries, ...context }: MessagesProps) {
  return entries.map((entry) => <EntryView key={entry.key} entry={entry} {...context} />);
}

function EntryView({ entry, ...context }: Omit<MessagesProps, 'entries'> & { entry: Entry }) {
  switch (entry.kind) {
    case 'day':
      return <Rule>{formatRelativeDay(entry.at, Date.now())}</Rule>;
    case 'fresh':
      return <Rule accent>New messages</Rule>;
    case 'system':
      return (
        <p title={formatDateTime(entry.at)} className="py-2 text-center text-xs wrap-anywhere text-muted">
          {entry.content} · <time dateTime={entry.at}>{formatTime(entry.at)}</time>
        </p>
      );
    case 'note':
      return <NoteCard note={entry} onRetry={context.onRetry} onRemove={context.onRemove} />;
    case 'group':
      return <Group group={entry} {...context} />;
  }
}

function Rule({ accent = false, children }: { accent?: boolean; children: string }) {
  return (
    <div
      data-rule
      className={cx('flex items-center gap-3 py-3 text-xs font-medium', accent ? 'text-accent' : 'text-muted')}
    >
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
      {children}
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
    </div>
  );
}
