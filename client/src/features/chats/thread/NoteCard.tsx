import { NotebookPen } from 'lucide-react';
import { formatDateTime, formatTime } from '../../../lib/format.ts';
import type { NoteEntry } from '../model/timeline.ts';
import type { Sending } from '../outbox/sending.ts';
import { Failed } from './Group.tsx';
import { Text } from './MessageText.tsx';

interface NoteCardProps {
  note: NoteEntry;
  onRetry: Sending['retry'];
  onRemove: Sending['remove'];
}

/** What the team noted, in its place by time, and unmistakably not for the visitor. */
export function NoteCard({ note, onRetry, onRemove }: NoteCardProps) {
  const { author, at, content, outgoing } = note;
  const failed = outgoing?.failed;
  return (
    <div className="py-2 [contain-intrinsic-block-size:auto_5rem] [content-visibility:auto]">
      <article
        aria-label={`Note by ${author ?? 'you'}`}
        className="mx-auto w-full max-w-[68ch] rounded-card border border-waiting/30 bg-waiting-soft px-3.5 py-2.5"
      >
        <p className="flex flex-wrap items-center gap-x-1.5 text-xs text-waiting">
          <NotebookPen size={14} aria-hidden />
          <span dir="auto" className="font-semibold">
            {author ?? 'You'}
          </span>
          <time dateTime={at} title={formatDateTime(at)}>
            {formatTime(at)}
          </time>
          <span className="ml-auto">
            {outgoing && !failed && 'Sending · '}
            Only your team sees this
          </span>
        </p>
        <p dir="auto" className="pt-1 wrap-anywhere whitespace-pre-wrap">
          <Text text={content} />
        </p>
      </article>
      {failed && <Failed reason={failed} onRetry={() => onRetry(note.key)} onRemove={() => onRemove(note.key)} />}
    </div>
  );
}
