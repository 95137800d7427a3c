import { RotateCcw, Trash2 } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import type { Receipts } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime, formatTime } from '../../../lib/format.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import type { Bubble, Group as Held } from '../model/timeline.ts';
import type { Sending } from '../outbox/sending.ts';
import { Attachment, Sending as OnItsWay } from './Attachment.tsx';
import { Text } from './MessageText.tsx';
import { State } from './State.tsx';

interface GroupProps {
  group: Held;
  visitorName: string;
  receipts: Receipts | null;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

/** What one author wrote within a minute. Of the thousands in a long thread only those that changed are drawn anew. */
export const Group = memo(GroupView, isSame);

function GroupView({ group, visitorName, ...context }: GroupProps) {
  const staff = group.side === 'staff';
  const name = staff ? (group.author ?? 'Team') : visitorName;
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
            {group.own ? 'You' : name}
          </span>
          <time dateTime={group.at} title={formatDateTime(group.at)} className="shrink-0">
            {formatTime(group.at)}
          </time>
        </p>
        {group.bubbles.map((bubble) => (
          <BubbleView key={bubble.key} bubble={bubble} group={group} {...context} />
        ))}
      </div>
    </div>
  );
}

interface BubbleProps extends Omit<GroupProps, 'visitorName'> {
  bubble: Bubble;
}

function BubbleView({ bubble, group, receipts, onRetry, onRemove }: BubbleProps) {
  const staff = group.side === 'staff';
  const failed = bubble.outgoing?.failed;
  return (
    <>
      <div className={cx('flex max-w-[min(100%,68ch)] gap-1.5', staff && 'pl-6 sm:pl-12', !staff && 'pr-6 sm:pr-12')}>
        {group.own && <State bubble={bubble} receipts={receipts} />}
        {fileOf(bubble) ?? (
          <div
            dir="auto"
            className={cx(
              'min-w-0 rounded-bubble px-3.5 py-2 wrap-anywhere whitespace-pre-wrap',
              staff ? 'rounded-br-small bg-accent-soft' : 'rounded-bl-small border bg-surface',
              failed && 'ring-1 ring-danger/50',
            )}
          >
            {bubble.content === '' ? (
              <span className="text-muted italic">Message deleted</span>
            ) : (
              <Text text={bubble.content} />
            )}
          </div>
        )}
      </div>
      {failed && <Failed reason={failed} onRetry={() => onRetry(bubble.key)} onRemove={() => onRemove(bubble.key)} />}
    </>
  );
}

function fileOf({ message, outgoing }: Bubble): ReactNode {
  if (message?.file) return <Attachment file={message.file} />;
  return outgoing && 'file' in outgoing ? <OnItsWay upload={outgoing} /> : null;
}

/** Why something was not sent, and what can be done about it. */
export function Failed({ reason, onRetry, onRemove }: { reason: string; onRetry: () => void; onRemove: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1 text-xs text-danger">
      <span className="px-1">Not sent. {reason}</span>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
        <RotateCcw size={14} aria-hidden />
        Retry
      </Button>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRemove}>
        <Trash2 size={14} aria-hidden />
        Delete
      </Button>
    </div>
  );
}

function isSame(before: GroupProps, after: GroupProps): boolean {
  const [was, is] = [before.group, after.group];
  return (
    was.author === is.author &&
    was.avatar === is.avatar &&
    before.visitorName === after.visitorName &&
    (before.receipts === after.receipts || !is.own || isReadOut(is, before.receipts)) &&
    was.bubbles.length === is.bubbles.length &&
    was.bubbles.every(({ message, outgoing }, at) => {
      const now = is.bubbles[at];
      return message === now?.message && outgoing === now?.outgoing;
    })
  );
}

/** Read to the end: receipts never fall, so no later one changes anything here. */
function isReadOut({ bubbles }: Held, receipts: Receipts | null): boolean {
  const last = bubbles.at(-1)?.message?.seq;
  return last !== undefined && receipts !== null && last <= receipts.visitor.read;
}
