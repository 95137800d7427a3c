import { RotateCcw, Trash2 } from 'lucide-react';
import type { Receipts } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { segmentsOf } from './links.ts';
import type { Outbox } from './outbox.ts';
import { State } from './State.tsx';
import type { Bubble, Entry, Group } from './timeline.ts';
import { clockWord, dayWord, momentWord } from './words.ts';

interface MessagesProps {
  entries: readonly Entry[];
  visitorName: string;
  receipts: Receipts | null;
  outbox: Outbox | null;
}

/** What was said, in order. */
export function Messages({ entries, ...context }: MessagesProps) {
  return entries.map((entry) => <EntryView key={entry.key} entry={entry} {...context} />);
}

function EntryView({ entry, ...context }: Omit<MessagesProps, 'entries'> & { entry: Entry }) {
  switch (entry.kind) {
    case 'day':
      return <Rule>{dayWord(entry.at, Date.now())}</Rule>;
    case 'fresh':
      return <Rule accent>New messages</Rule>;
    case 'system':
      return (
        <p title={momentWord(entry.at)} className="py-2 text-center text-xs wrap-anywhere text-muted">
          {entry.content} · <time dateTime={entry.at}>{clockWord(entry.at)}</time>
        </p>
      );
    case 'group':
      return <GroupView group={entry} {...context} />;
  }
}

function Rule({ accent = false, children }: { accent?: boolean; children: string }) {
  return (
    <div className={cx('flex items-center gap-3 py-3 text-xs font-medium', accent ? 'text-accent' : 'text-muted')}>
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
      {children}
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
    </div>
  );
}

interface GroupViewProps extends Omit<MessagesProps, 'entries'> {
  group: Group;
}

function GroupView({ group, visitorName, receipts, outbox }: GroupViewProps) {
  const staff = group.side === 'staff';
  const name = staff ? (group.author ?? 'Team') : visitorName;
  return (
    <div className={cx('flex gap-2.5 pt-2.5 pb-1', staff && 'flex-row-reverse')}>
      <span className="hidden pt-6 sm:block">
        <Avatar name={name} src={group.avatar} size="sm" />
      </span>
      <div className={cx('flex min-w-0 flex-1 flex-col gap-1', staff ? 'items-end' : 'items-start')}>
        <p className="flex max-w-full items-baseline gap-1.5 px-1 text-xs text-muted">
          <span dir="auto" className="truncate font-medium">
            {group.own ? 'You' : name}
          </span>
          <time dateTime={group.at} title={momentWord(group.at)} className="shrink-0">
            {clockWord(group.at)}
          </time>
        </p>
        {group.bubbles.map((bubble) => (
          <BubbleView key={bubble.key} bubble={bubble} group={group} receipts={receipts} outbox={outbox} />
        ))}
      </div>
    </div>
  );
}

interface BubbleViewProps {
  bubble: Bubble;
  group: Group;
  receipts: Receipts | null;
  outbox: Outbox | null;
}

function BubbleView({ bubble, group, receipts, outbox }: BubbleViewProps) {
  const staff = group.side === 'staff';
  const failed = bubble.outgoing?.failed;
  return (
    <>
      <div className={cx('flex max-w-[min(100%,68ch)] gap-1.5', staff && 'pl-6 sm:pl-12', !staff && 'pr-6 sm:pr-12')}>
        {group.own && <State bubble={bubble} receipts={receipts} />}
        <div
          dir="auto"
          className={cx(
            'min-w-0 rounded-bubble px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
            staff ? 'rounded-br-small bg-accent-soft' : 'rounded-bl-small border bg-surface',
            failed && 'ring-1 ring-danger/50',
          )}
        >
          <Content text={bubble.content} />
        </div>
      </div>
      {failed && <Failed reason={failed} clientId={bubble.key} outbox={outbox} />}
    </>
  );
}

function Content({ text }: { text: string }) {
  if (text === '') return <span className="text-muted italic">Message deleted</span>;
  return segmentsOf(text).map((segment, index) =>
    segment.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: a message's text never changes
        key={index}
        href={segment.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-strong underline underline-offset-2"
      >
        {segment.text}
      </a>
    ) : (
      segment.text
    ),
  );
}

function Failed({ reason, clientId, outbox }: { reason: string; clientId: string; outbox: Outbox | null }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1 text-xs text-danger">
      <span className="px-1">Not sent. {reason}</span>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={() => outbox?.retry(clientId)}>
        <RotateCcw size={14} aria-hidden />
        Retry
      </Button>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={() => outbox?.remove(clientId)}>
        <Trash2 size={14} aria-hidden />
        Delete
      </Button>
    </div>
  );
}
