import { ArrowLeft, Search } from 'lucide-react';
import type { RefObject } from 'react';
import { type Chat, can, type Site, type User } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useClose, useReopen } from '../actions/api.ts';
import { isClaimable, useClaim } from '../actions/claim.ts';
import { useChat } from '../api.ts';
import { inboxKeymap } from '../inboxKeys.ts';
import { StatusBadge } from '../list/ChatLabels.tsx';
import { useThread } from '../live/threadQuery.ts';
import { NoChat, ThreadPane } from '../thread/ThreadPane.tsx';

interface ConsoleChatProps {
  chatId: string;
  user: User;
  site: Site;
  composer: RefObject<HTMLTextAreaElement | null>;
  /** The seq of the message to show; null: the newest. */
  at: number | null;
  onShow: (at: number | null) => void;
  /** Deselects the chat. */
  onLeave: () => void;
}

/** The chat that is open in the console. */
export function ConsoleChat({ chatId, user, site, composer, at, onShow, onLeave }: ConsoleChatProps) {
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  if (!chat.data) return <NoChat chat={chat} />;
  return (
    <ThreadPane
      chat={chat.data}
      thread={thread}
      user={user}
      site={site}
      composer={composer}
      at={at}
      onShow={onShow}
      header={(onFind) => <ConsoleHeader chat={chat.data} site={site} onFind={onFind} onLeave={onLeave} />}
    />
  );
}

interface ConsoleHeaderProps {
  chat: Chat;
  site: Site;
  onFind: () => void;
  onLeave: () => void;
}

function ConsoleHeader({ chat, site, onFind, onLeave }: ConsoleHeaderProps) {
  const claim = useClaim();
  const close = useClose();
  const reopen = useReopen();
  const isClosed = chat.status === 'closed';
  const mayAct = can(site, 'chats.reply') && !isClosed;
  const mayReopen = can(site, 'chats.reply') && isClosed;
  const mayClaim = mayAct && isClaimable(chat);
  const closeAndLeave = () => {
    close(chat);
    onLeave();
  };
  useShortcuts(
    inboxKeymap({
      claim: () => {
        if (mayClaim) claim(chat);
      },
      close: () => {
        if (mayAct) closeAndLeave();
      },
      reopen: () => {
        if (mayReopen) reopen(chat);
      },
    }),
  );
  return (
    <header className="flex min-h-16 shrink-0 items-center gap-2 border-b bg-surface px-2 py-2 sm:px-4">
      <IconButton label={t('Back to the list')} onClick={onLeave} className="md:hidden">
        <ArrowLeft size={18} aria-hidden className="rtl:-scale-x-100" />
      </IconButton>
      <div className="min-w-0 flex-1">
        <h2 dir="auto" className="truncate font-semibold">
          {visitorName(chat.visitorInfo.name, t('Anonymous Visitor'))}
        </h2>
        <p className="flex min-w-0 gap-x-3 text-xs text-muted max-lg:flex-col">
          <span className="address truncate">{chat.visitorInfo.email || t('No email')}</span>
          <span className="truncate">{chat.visitorInfo.location || t('Unknown location')}</span>
        </p>
      </div>
      <StatusBadge {...chat} />
      {mayClaim && (
        <Button size="sm" onClick={() => claim(chat)}>
          {t('Claim')}
        </Button>
      )}
      {mayAct && (
        <Button variant="secondary" size="sm" onClick={closeAndLeave}>
          {t('Close|chat')}
        </Button>
      )}
      {mayReopen && (
        <Button variant="secondary" size="sm" onClick={() => reopen(chat)}>
          {t('Reopen')}
        </Button>
      )}
      <IconButton label={t('Search in this chat')} onClick={onFind}>
        <Search size={18} aria-hidden />
      </IconButton>
    </header>
  );
}
