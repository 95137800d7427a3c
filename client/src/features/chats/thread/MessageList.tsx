import { NotebookPen } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Receipts } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime, formatTime } from '../../../lib/format.ts';
import { facts, t } from '../../../lib/i18n.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Day } from '../../../ui/Time.tsx';
import { splitMentions } from '../model/mentions.ts';
import type { MessageGroup, NoteEntry, TimelineEntry } from '../model/timeline.ts';
import { Bubble, type BubbleContext, Failed } from './Bubble.tsx';
import { MessageText } from './MessageText.tsx';

interface MessageListProps extends BubbleContext {
  entries: readonly TimelineEntry[];
  visitorName: string;
  /** The id of the note that was asked for. */
  markedNote: string | null;
}

/** The entries of a thread. */
export function MessageList({ entries, ...context }: MessageListProps) {
  return entries.map((entry) => <EntryView key={entry.key} entry={entry} {...context} />);
}

type Context = Omit<MessageListProps, 'entries'>;

function EntryView({ entry, ...context }: Context & { entry: TimelineEntry }) {
  switch (entry.kind) {
    case 'day':
      return (
        <Line>
          <Day at={entry.at} />
        </Line>
      );
    case 'new':
      return <Line accent>{t('New messages')}</Line>;
    case 'system':
      return (
        <p title={formatDateTime(entry.at)} className="py-2 text-center text-xs wrap-anywhere text-muted">
          {entry.content} · <time dateTime={entry.at}>{formatTime(entry.at)}</time>
        </p>
      );
    case 'note':
      return <NoteCard note={entry} {...context} />;
    case 'group':
      return <Group group={entry} {...context} />;
  }
}

function Line({ accent = false, children }: { accent?: boolean; children: ReactNode }) {
  return (
    <div
      data-line
      className={cx('flex items-center gap-3 py-3 text-xs font-medium', accent ? 'text-accent' : 'text-muted')}
    >
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
      {children}
      <span aria-hidden className={cx('h-px flex-1', accent ? 'bg-accent/40' : 'bg-line')} />
    </div>
  );
}

type GroupProps = Omit<Context, 'markedNote'> & { group: MessageGroup };

/** Memoized: of the thousands of groups in a long thread only those that changed are rendered. */
const Group = memo(GroupView, isSame);

function GroupView({ group, visitorName, ...context }: GroupProps) {
  const staff = group.side === 'staff';
  const name = staff ? (group.author ?? t('Team')) : visitorName;
  return (
    <div
      className={cx(
        'flex gap-2.5 pt-2.5 pb-1 [contain-intrinsic-block-size:auto_5rem] [content-visibility:auto]',
        staff && 'flex-row-reverse',
      )}
    >
      <span className="hidden pt-6 sm:block">
        <Avatar name={name} src={group.avatar} size="sm" />
      </span>
      <div className={cx('flex min-w-0 flex-1 flex-col gap-1', staff ? 'items-end' : 'items-start')}>
        <p className="flex max-w-full items-baseline gap-1.5 px-1 text-xs text-muted">
          <span dir="auto" className="truncate font-medium">
            {group.own ? t('You') : name}
          </span>
          <time dateTime={group.at} title={formatDateTime(group.at)} className="shrink-0">
            {formatTime(group.at)}
          </time>
        </p>
        {group.bubbles.map((bubble) => (
          <Bubble key={bubble.key} bubble={bubble} group={group} {...context} />
        ))}
      </div>
    </div>
  );
}

function isSame(before: GroupProps, after: GroupProps): boolean {
  const [was, is] = [before.group, after.group];
  return (
    was.author === is.author &&
    was.avatar === is.avatar &&
    before.visitorName === after.visitorName &&
    markedIn(was, before.marked) === markedIn(is, after.marked) &&
    (before.receipts === after.receipts || !is.own || isFullyRead(is, before.receipts)) &&
    was.bubbles.length === is.bubbles.length &&
    was.bubbles.every(({ message, outgoing }, at) => {
      const now = is.bubbles[at];
      return message === now?.message && outgoing === now?.outgoing;
    })
  );
}

/** The marked message, if it is in the group. */
function markedIn({ bubbles }: MessageGroup, marked: number | null): number | null {
  return bubbles.some(({ message }) => message?.seq === marked) ? marked : null;
}

/** Whether all of it is read: receipts only move forward, so that a later one changes nothing here. */
function isFullyRead({ bubbles }: MessageGroup, receipts: Receipts | null): boolean {
  const last = bubbles.at(-1)?.message?.seq;
  return last !== undefined && receipts !== null && last <= receipts.visitor.read;
}

/** A note of the team, marked so that nobody takes it for a message to the visitor. */
function NoteCard({ note, markedNote, onRetry, onRemove }: Context & { note: NoteEntry }) {
  const { key, author, at, content, mentions, outgoing } = note;
  const isMarked = key === markedNote;
  const failed = outgoing?.failed;
  return (
    <div className="py-2 [contain-intrinsic-block-size:auto_5rem] [content-visibility:auto]">
      <article
        aria-label={author === null ? t('Note by you') : t('Note by {name}', { name: author })}
        aria-current={isMarked || undefined}
        className={cx(
          'mx-auto w-full max-w-[68ch] rounded-card border border-waiting/30 bg-waiting-soft px-3.5 py-2.5',
          isMarked && 'outline-2 -outline-offset-2 outline-waiting',
        )}
      >
        <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-waiting">
          <NotebookPen size={14} aria-hidden />
          <span dir="auto" className="font-semibold">
            {author ?? t('You')}
          </span>
          <time dateTime={at} title={formatDateTime(at)}>
            {formatTime(at)}
          </time>
          <span className="ms-auto">{facts(outgoing && !failed && t('Sending'), t('Only your team sees this'))}</span>
        </p>
        <p dir="auto" className="pt-1 wrap-anywhere whitespace-pre-wrap">
          {splitMentions(content, mentions).map(({ text, person }, index) =>
            person ? (
              <mark
                // biome-ignore lint/suspicious/noArrayIndexKey: a note's text never changes
                key={index}
                className={cx(
                  'rounded-small px-0.5 font-semibold',
                  person.isUser ? 'bg-waiting text-surface' : 'bg-waiting/15 text-text',
                )}
              >
                {text}
                {person.isUser && <span className="sr-only"> {t('(you)')}</span>}
              </mark>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <MessageText key={index} text={text} />
            ),
          )}
        </p>
      </article>
      {failed && <Failed reason={failed} onRetry={() => onRetry(key)} onRemove={() => onRemove(key)} />}
    </div>
  );
}
