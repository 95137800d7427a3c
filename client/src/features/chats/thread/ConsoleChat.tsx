import { ArrowLeft, Search } from 'lucide-react';
import { type Chat, can, type Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useClose } from '../actions/api.ts';
import { isClaimable, useClaim } from '../actions/claim.ts';
import { useChat } from '../api.ts';
import { StatusBadge } from '../ChatLabels.tsx';
import { useThread } from '../live/threadQuery.ts';
import { inboxKeymap } from '../shortcuts.ts';
import { StatusButtons } from './StatusButtons.tsx';
import { NoChat, type OpenChatProps, ThreadPane } from './ThreadPane.tsx';

/** The chat that is open in the console. */
export function ConsoleChat({ chatId, site, onBack, ...pane }: OpenChatProps & { site: Site }) {
  const chat = useChat(chatId);
  const thread = useThread(chatId);
  if (!chat.data) return <NoChat chat={chat} />;
  return (
    <ThreadPane
      {...pane}
      chat={chat.data}
      thread={thread}
      site={site}
      header={(onFind) => <ConsoleHeader chat={chat.data} site={site} onFind={onFind} onBack={onBack} />}
    />
  );
}

interface ConsoleHeaderProps {
  chat: Chat;
  site: Site;
  onFind: () => void;
  onBack: () => void;
}

function ConsoleHeader({ chat, site, onFind, onBack }: ConsoleHeaderProps) {
  const claim = useClaim();
  const close = useClose();
  const mayAct = can(site, 'chats.reply');
  useShortcuts(inboxKeymap(mayAct && isClaimable(chat) ? { claim: () => claim(chat) } : {}));
  return (
    <header className="flex min-h-16 shrink-0 items-center gap-2 border-b bg-surface px-2 py-2 sm:px-4">
      <IconButton label={t('Back to the list')} onClick={onBack} className="md:hidden">
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
      <StatusButtons
        chat={chat}
        mayAct={mayAct}
        onClose={() => {
          close(chat);
          onBack();
        }}
      />
      <IconButton label={t('Search in this chat')} onClick={onFind}>
        <Search size={18} aria-hidden />
      </IconButton>
    </header>
  );
}
