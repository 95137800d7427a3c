import { Bot, UserRoundCheck, UserRoundCog } from 'lucide-react';
import type { Chat, ChatStatus } from 'server/contract';
import { formatDayTime, truncate } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { rich } from '../../lib/rich.ts';
import { Badge } from '../../ui/Badge.tsx';

const STATUS_TONES: Record<ChatStatus, 'success' | 'waiting' | 'closed'> = {
  active: 'success',
  waiting: 'waiting',
  closed: 'closed',
};

const PREVIEW_LENGTH = 30;

/** The start of the last message, as rows show it, or the words that stand in its place. */
export function preview({ lastMessage, lastSeq }: Pick<Chat, 'lastMessage' | 'lastSeq'>): string {
  return truncate(lastMessage, PREVIEW_LENGTH) || (lastSeq > 0 ? t('Message deleted') : t('No messages yet'));
}

/** The chat's status, until when it is snoozed, or that the assistant has it. */
export function StatusBadge({ status, snoozedUntil, assistant }: Pick<Chat, 'status' | 'snoozedUntil' | 'assistant'>) {
  if (snoozedUntil)
    return (
      <Badge tone="accent">
        <span className="truncate">
          <span className="sr-only">{t('Snoozed')}</span> {t('Until {time}', { time: formatDayTime(snoozedUntil) })}
        </span>
      </Badge>
    );
  if (assistant?.active && status !== 'closed')
    return (
      <Badge tone="accent">
        <Bot size={12} aria-hidden />
        <span className="truncate">{t('Assistant')}</span>
      </Badge>
    );
  return (
    <Badge tone={STATUS_TONES[status]}>
      <span className="truncate first-letter:uppercase">{t(status)}</span>
    </Badge>
  );
}

/**
 * Who has the chat, and whether they claimed it or the server assigned it to them; nothing where nobody has it.
 * @param spelled with words in place of the icon
 */
export function ClaimedBy({ chat, userId, spelled = false }: { chat: Chat; userId: string; spelled?: boolean }) {
  if (!chat.claimedBy) return null;
  const Icon = chat.assignedAt ? UserRoundCog : UserRoundCheck;
  const name = chat.claimedBy._id === userId ? t('you|object') : chat.claimedBy.name;
  const text = chat.assignedAt ? msg('<verb>Assigned to</verb> {name}') : msg('<verb>Claimed by</verb> {name}');
  const title = chat.assignedAt ? t('Assigned to {name}', { name }) : t('Claimed by {name}', { name });
  return (
    <span className="inline-flex min-w-0 items-center gap-1" title={title}>
      {!spelled && <Icon size={14} aria-hidden className="shrink-0" />}
      <span className="truncate">
        {rich(text, { name, verb: (words) => <span className={spelled ? '' : 'sr-only'}>{words}</span> })}
      </span>
    </span>
  );
}
