import { Check, CheckCheck, CircleAlert, Clock, ClockAlert, RotateCcw, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { Receipts } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { msg, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import { deliveryStateOf } from '../model/thread.ts';
import type { MessageGroup, TimelineMessage } from '../model/timeline.ts';
import type { Sending } from '../outbox/sending.ts';
import { Attachment, UploadingFile } from './Attachment.tsx';
import { EditForm } from './EditForm.tsx';
import { useIsEdited } from './editing.ts';
import { MessageActions } from './MessageActions.tsx';
import { MessageText } from './MessageText.tsx';

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
export interface BubbleContext {
  receipts: Receipts | null;
  /** The seq of the message that was searched for. */
  marked: number | null;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

interface BubbleProps extends BubbleContext {
  bubble: TimelineMessage;
  group: MessageGroup;
}

/** One message of a group: its text or file, and how far it got. */
export function Bubble({ bubble, group, receipts, marked, onRetry, onRemove }: BubbleProps) {
  const staff = group.side === 'staff';
  const failed = bubble.outgoing?.failed;
  const { message } = bubble;
  const isEdited = useIsEdited(message);
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
              <MessageText text={bubble.content} />
            )}
            {message?.editedAt && <Edited at={message.editedAt} />}
          </div>
        )}
      </div>
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

/** Why a message or note was not sent, with the choice to retry or delete it. */
export function Failed({ reason, onRetry, onRemove }: { reason: string; onRetry: () => void; onRemove: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-end gap-1 text-xs text-danger">
      <span className="px-1">{t('Not sent. {reason}', { reason })}</span>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRetry}>
        <RotateCcw size={14} aria-hidden />
        {t('Retry')}
      </Button>
      <Button variant="ghost" size="sm" className="h-7! px-2! text-xs!" onClick={onRemove}>
        <Trash2 size={14} aria-hidden />
        {t('Delete')}
      </Button>
    </div>
  );
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
