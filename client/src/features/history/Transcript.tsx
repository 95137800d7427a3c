import { Bot, Download, MessageSquareDashed, Paperclip } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { StaffMessage } from 'server/contract';
import { MailOrigin } from '#features/mailin';
import { formatDate, formatTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { authorOf, systemText } from '../../shared/messageWords.ts';
import { Button } from '../../ui/Button.tsx';
import { DropdownMenu, MenuItem } from '../../ui/DropdownMenu.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { VirtualList, type VirtualRowProps } from '../../ui/VirtualList.tsx';
import { exportChat, useTranscript } from './api.ts';

/** A line with its sender above it. */
const ROW_HEIGHT_PX = 48;
const SKELETONS = ['w-2/3', 'w-1/2', 'w-3/4', 'w-2/5'];

interface TranscriptProps {
  chatId: string;
  visitorName: string;
  footer: ReactNode;
}

/** The transcript of a chat, from its beginning. */
export function Transcript({ chatId, visitorName, footer }: TranscriptProps) {
  const transcript = useTranscript(chatId);
  const { data: messages } = transcript;
  const rows = useMemo(() => messages && withDays(messages), [messages]);
  if (!rows) {
    if (transcript.isPending) return <TranscriptSkeleton />;
    return <ErrorState what={t('The transcript could not be loaded.')} onRetry={() => void transcript.refetch()} />;
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys */}
      <div tabIndex={0} className="relative min-h-0 flex-1 overflow-y-auto px-5 py-4 focus-visible:-outline-offset-2">
        {rows.length === 0 && <EmptyState icon={MessageSquareDashed} title={t('This chat has no messages')} />}
        <VirtualList
          as="ol"
          label={t('Messages')}
          rows={rows}
          rowHeight={ROW_HEIGHT_PX}
          row={(row, place) =>
            'day' in row ? (
              <Day day={row.day} place={place} />
            ) : (
              <Line message={row} visitorName={visitorName} place={place} />
            )
          }
        />
        {transcript.isFetchNextPageError && (
          <ErrorState what={t('More messages could not be loaded.')} onRetry={() => void transcript.fetchNextPage()} />
        )}
        {transcript.hasNextPage && !transcript.isFetchNextPageError && (
          <div className="flex justify-center py-4">
            <Button
              variant="secondary"
              size="sm"
              busy={transcript.isFetchingNextPage}
              onClick={() => void transcript.fetchNextPage()}
            >
              {t('Show more messages')}
            </Button>
          </div>
        )}
      </div>
      <div className="flex shrink-0 justify-end gap-2 border-t px-5 py-3">{footer}</div>
    </>
  );
}

export function ExportTranscriptMenu({ chatId }: { chatId: string }) {
  return (
    <DropdownMenu
      trigger={
        <IconButton label={t('Download transcript')}>
          <Download size={18} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onSelect={() => exportChat(chatId, 'txt')}>{t('As text')}</MenuItem>
      <MenuItem onSelect={() => exportChat(chatId, 'pdf')}>{t('As PDF')}</MenuItem>
    </DropdownMenu>
  );
}

function Day({ day, place }: { day: string; place: VirtualRowProps }) {
  return (
    <li {...place} className="pt-2 pb-3 text-center text-xs font-medium text-muted">
      {day}
    </li>
  );
}

interface LineProps {
  message: StaffMessage;
  visitorName: string;
  place: VirtualRowProps;
}

function Line({ message, visitorName, place }: LineProps) {
  const { sender, content, timestamp, file, greeting, editedAt } = message;
  if (sender === 'system') {
    return (
      <li {...place} className="py-2 text-center text-xs wrap-anywhere text-muted">
        {systemText(message)}
      </li>
    );
  }
  const staff = sender !== 'visitor';
  // Space between lines is padding: rows are measured without margins.
  return (
    <li {...place} className="pb-3">
      {greeting && (
        <p className="pb-2 text-center text-xs wrap-anywhere text-muted">{t('Greeting: {greeting}', { greeting })}</p>
      )}
      <div className={`border-s-2 ps-3 ${staff ? 'border-accent!' : ''}`}>
        <p className="flex items-baseline gap-2 text-xs text-muted">
          {sender === 'assistant' && <Bot size={14} aria-hidden className="shrink-0 self-center" />}
          <span dir="auto" className={`truncate font-semibold ${staff ? 'text-accent-strong' : 'text-text'}`}>
            {authorOf(message, visitorName)}
          </span>
          <time dateTime={timestamp} className="shrink-0">
            {formatTime(timestamp)}
          </time>
          {editedAt && <span className="shrink-0">{t('edited')}</span>}
        </p>
        {file ? (
          <a
            href={file.url}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex items-center gap-1.5 text-accent-strong underline underline-offset-2"
          >
            <Paperclip size={14} aria-hidden className="shrink-0" />
            <span className="wrap-anywhere">{file.name}</span>
          </a>
        ) : (
          <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
            {content || <span className="text-muted italic">{t('Message deleted')}</span>}
          </p>
        )}
        {message.mail && (
          <div className="pt-1">
            <MailOrigin message={message} />
          </div>
        )}
      </div>
    </li>
  );
}

/** The messages, with a separator before the first one of each day. */
function withDays(messages: StaffMessage[]): (StaffMessage | { _id: string; day: string })[] {
  let last = '';
  return messages.flatMap((message) => {
    const day = formatDate(message.timestamp, 'long');
    if (day === last) return [message];
    last = day;
    return [{ _id: `day of ${message._id}`, day }, message];
  });
}

function TranscriptSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-5 p-5">
      <span className="sr-only">{t('Loading transcript')}</span>
      {SKELETONS.map((width) => (
        <div key={width} className="flex flex-col gap-2">
          <Skeleton className="h-3 w-28" />
          <Skeleton className={`h-4 ${width}`} />
        </div>
      ))}
    </div>
  );
}
