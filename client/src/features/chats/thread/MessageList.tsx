import { Bot, Check, CheckCheck, CircleAlert, Clock, ClockAlert } from 'lucide-react';
import { memo, type ReactNode, useEffect, useState } from 'react';
import { type ChatAssistant, isFormatted, type Receipts } from 'server/contract';
import { reasonOf, SentButton, Sources, useTranslation } from '#features/assistant';
import { MailOrigin } from '#features/mailin';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime, formatTime } from '../../../lib/format.ts';
import { facts, msg, t } from '../../../lib/i18n.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Day } from '../../../ui/Time.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { deliveryStateOf } from '../live/thread.ts';
import type { MessageGroup, TimelineEntry, TimelineMessage } from '../model/timeline.ts';
import type { Sending } from '../outbox/outbox.ts';
import { Attachment, UploadingFile } from './Attachment.tsx';
import { EditForm } from './EditForm.tsx';
import { useIsEdited } from './editing.ts';
import { Failed, MessageActions } from './MessageActions.tsx';
import { MessageText } from './MessageText.tsx';
import { NoteCard } from './NoteCard.tsx';

/** A message without an acknowledgement for so long is shown as late. */
const LATE_AFTER_MS = 30_000;

const DELIVERY_STATES = {
  sending: { icon: Clock, word: msg('Sending'), look: 'text-muted' },
  late: { icon: ClockAlert, word: msg('not sent yet, retrying'), look: 'text-waiting' },
  sent: { icon: Check, word: msg('Sent'), look: 'text-muted' },
  delivered: { icon: CheckCheck, word: msg('Delivered'), look: 'text-muted' },
  read: { icon: CheckCheck, word: msg('Read'), look: 'text-accent' },
  failed: { icon: CircleAlert, word: msg('Failed'), look: 'text-danger' },
};

/** What messages need of their thread. */
interface BubbleContext {
  receipts: Receipts | null;
  /** The seq of the message that was searched for. */
  marked: number | null;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

interface MessageListProps extends BubbleContext {
  entries: readonly TimelineEntry[];
  visitorName: string;
  /** The id of the note that was asked for. */
  markedNote: string | null;
  chatId: string;
  assistant: ChatAssistant | undefined;
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
        <div title={formatDateTime(entry.at)} className="py-2 text-center text-xs wrap-anywhere text-muted">
          {entry.isHandOver ? facts(entry.content, reasonOf(context.assistant)) : entry.content}
          {' · '}
          <time dateTime={entry.at}>{formatTime(entry.at)}</time>
          {entry.isHandOver && (
            <>
              {' · '}
              <SentButton chatId={context.chatId} />
            </>
          )}
        </div>
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

type GroupProps = Omit<Context, 'markedNote' | 'chatId' | 'assistant'> & { group: MessageGroup };

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
        {group.automatic ? <Robot /> : <Avatar name={name} src={group.avatar} size="sm" />}
      </span>
      <div className={cx('flex min-w-0 flex-1 flex-col gap-1', staff ? 'items-end' : 'items-start')}>
        <p className="flex max-w-full items-baseline gap-1.5 px-1 text-xs text-muted">
          {group.automatic && <Bot size={14} aria-hidden className="shrink-0 self-center sm:hidden" />}
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

/** Stands in for the picture of whom there is none. */
function Robot() {
  return (
    <span className="inline-flex size-6 items-center justify-center rounded-full bg-accent-soft text-accent-strong">
      <Bot size={16} aria-hidden />
    </span>
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

interface BubbleProps extends BubbleContext {
  bubble: TimelineMessage;
  group: MessageGroup;
}

/** One message of a group: its text or file, and how far it got. */
function Bubble({ bubble, group, receipts, marked, onRetry, onRemove }: BubbleProps) {
  const staff = group.side === 'staff';
  const failed = bubble.outgoing?.failed;
  const { message } = bubble;
  const isEdited = useIsEdited(message);
  const translation = useTranslation(message);
  const seq = message?.seq;
  const isMarked = seq !== undefined && seq === marked;
  if (group.own && message && isEdited) return <EditForm message={message} />;
  return (
    <>
      <div
        data-seq={seq}
        aria-current={isMarked || undefined}
        className={cx(
          'group/bubble flex max-w-[min(100%,68ch)] gap-1.5',
          staff && 'ps-6 sm:ps-12',
          !staff && 'pe-6 sm:pe-12',
          // Inside the edge: the group paints nothing beyond its own box.
          isMarked && '[&>:last-child]:outline-2 [&>:last-child]:-outline-offset-2 [&>:last-child]:outline-waiting',
        )}
      >
        {isMarked && <span className="sr-only">{t('Found:')}</span>}
        {group.own && message && <MessageActions message={message} />}
        {translation.button}
        {group.own && <DeliveryState bubble={bubble} receipts={receipts} />}
        {fileOf(bubble, () => onRemove(bubble.key)) ?? (
          <div
            dir="auto"
            className={cx(
              'min-w-0 rounded-bubble px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
              staff
                ? 'rounded-br-small bg-accent-soft rtl:rounded-br-bubble rtl:rounded-bl-small'
                : 'rounded-bl-small border bg-surface rtl:rounded-br-small rtl:rounded-bl-bubble',
              failed && 'ring-1 ring-danger/50',
            )}
          >
            {bubble.content === '' ? (
              <span className="text-muted italic">{t('Message deleted')}</span>
            ) : (
              <MessageText
                text={bubble.content}
                isFormatted={message ? message.formatted : isFormatted(bubble.content)}
              />
            )}
            {message?.editedAt && <Edited at={message.editedAt} />}
          </div>
        )}
      </div>
      {translation.text}
      {message?.mail && (
        <div className="w-full px-1">
          <MailOrigin message={message} />
        </div>
      )}
      {message?.sources && message.sources.length > 0 && <Sources sources={message.sources} />}
      {failed && <Failed reason={failed} onRetry={() => onRetry(bubble.key)} onRemove={() => onRemove(bubble.key)} />}
    </>
  );
}

/** That the author has corrected the text, and when. */
function Edited({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)} className="ms-2 text-xs text-muted">
      {t('edited')}
    </time>
  );
}

function fileOf({ message, outgoing }: TimelineMessage, onCancel: () => void): ReactNode {
  if (message?.file) return <Attachment file={message.file} />;
  return outgoing && 'file' in outgoing ? <UploadingFile upload={outgoing} onCancel={onCancel} /> : null;
}

/** How far a message of the user's own got: an icon, with its name for screen readers. */
function DeliveryState({ bubble, receipts }: { bubble: TimelineMessage; receipts: Receipts | null }) {
  const { outgoing } = bubble;
  // A file shows its own progress.
  const late = useLate(outgoing && 'file' in outgoing ? undefined : outgoing?.at);
  const state = DELIVERY_STATES[stateOf(bubble, receipts, late)];
  const word = t(state.word);
  return (
    <Tooltip text={word} side="left">
      <span className={cx('mb-1 inline-flex shrink-0 items-center gap-1 self-end text-xs', state.look)}>
        {late && !outgoing?.failed ? word : <span className="sr-only">{word}</span>}
        <state.icon size={14} aria-hidden />
      </span>
    </Tooltip>
  );
}

function stateOf(
  { message, outgoing }: TimelineMessage,
  receipts: Receipts | null,
  late: boolean,
): keyof typeof DELIVERY_STATES {
  if (message) return deliveryStateOf(message.seq, receipts);
  if (outgoing.failed !== null) return 'failed';
  return late ? 'late' : 'sending';
}

/** Whether a message has been unconfirmed for too long. */
function useLate(since: number | undefined): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (since === undefined) return;
    const timer = setTimeout(() => setLate(true), Math.max(0, since + LATE_AFTER_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  return late;
}
