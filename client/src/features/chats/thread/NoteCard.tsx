import { NotebookPen } from 'lucide-react';
import { cx } from '../../../lib/cx.ts';
import { formatDateTime, formatTime } from '../../../lib/format.ts';
import { facts, t } from '../../../lib/i18n.ts';
import { splitMentions } from '../model/mentions.ts';
import type { NoteEntry } from '../model/timeline.ts';
import type { Sending } from '../outbox/outbox.ts';
import { Failed } from './MessageActions.tsx';
import { MessageText } from './MessageText.tsx';

interface NoteCardProps {
  note: NoteEntry;
  /** The id of the note that was asked for. */
  markedNote: string | null;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

/** A note of the team, marked so that nobody takes it for a message to the visitor. */
export function NoteCard({ note, markedNote, onRetry, onRemove }: NoteCardProps) {
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
