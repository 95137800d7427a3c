import { ArrowLeft, Eye, PanelRight, Search } from 'lucide-react';
import { type Chat, can, type Site, type User } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { visitorName } from '../../../shared/visitorName.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useClose } from '../actions/api.ts';
import { ClaimedBy, StatusBadge } from '../ChatLabels.tsx';
import { useViewers, viewersText } from '../live/activity.ts';
import { inboxKeymap } from '../shortcuts.ts';
import { ChatMenu } from './ChatMenu.tsx';
import { StatusButtons } from './StatusButtons.tsx';

interface ChatHeaderProps {
  chat: Chat;
  user: User;
  /** Unknown while the websites are loading. */
  site: Site | undefined;
  /** Whether the visitor has the website open; `null` while that is unknown. */
  online: boolean | null;
  detailsOpen: boolean;
  onBack: () => void;
  onFind: () => void;
  onDetails: () => void;
}

/** The visitor's name and presence, and what can be done with the chat. */
export function ChatHeader({ chat, user, site, online, detailsOpen, onBack, onFind, onDetails }: ChatHeaderProps) {
  const close = useClose();
  const name = visitorName(chat.visitorInfo.name);
  const mayAct = site !== undefined && can(site, 'chats.reply');
  useShortcuts(inboxKeymap({ details: onDetails }));
  return (
    <header className="relative flex h-16 shrink-0 items-center gap-2 border-b bg-surface px-2 sm:px-4">
      <IconButton label={t('Back to the list')} onClick={onBack} className="md:hidden">
        <ArrowLeft size={18} aria-hidden className="rtl:-scale-x-100" />
      </IconButton>
      <span className="max-sm:hidden md:max-lg:hidden xl:max-[1440px]:hidden">
        <Avatar name={name} size="lg" />
      </span>
      <div className="min-w-0 flex-1 sm:ps-1">
        <h2 dir="auto" className="truncate text-left rtl:text-right font-semibold">
          {name}
        </h2>
        <p className="flex min-w-0 items-center gap-3 text-xs overflow-hidden whitespace-nowrap text-muted max-sm:gap-1.5">
          <span className="max-w-full shrink-0 sm:max-xl:hidden min-[1440px]:hidden">
            <StatusBadge {...chat} />
          </span>
          {online !== null && <Presence online={online} />}
          {chat.department && <span className="min-w-0 truncate">{chat.department.name}</span>}
          <span className="min-w-0 max-sm:hidden md:max-lg:hidden xl:max-[1440px]:hidden">
            <ClaimedBy chat={chat} userId={user._id} spelled />
          </span>
        </p>
      </div>
      <span className="max-sm:hidden xl:max-[1440px]:hidden">
        <StatusBadge {...chat} />
      </span>
      <StatusButtons chat={chat} mayAct={mayAct} onClose={() => close(chat)} hasMenu />
      <IconButton label={t('Search in this chat')} onClick={onFind} className="max-lg:hidden">
        <Search size={18} aria-hidden />
      </IconButton>
      <ChatMenu chat={chat} site={site} userId={user._id} onFind={onFind} onClose={() => close(chat)} onBack={onBack} />
      <IconButton
        label={detailsOpen ? t('Hide details') : t('Show details')}
        aria-expanded={detailsOpen}
        onClick={onDetails}
        className="xl:hidden"
      >
        <PanelRight size={18} aria-hidden className="rtl:-scale-x-100" />
      </IconButton>
      <Viewers chatId={chat._id} userId={user._id} />
    </header>
  );
}

function Presence({ online }: { online: boolean }) {
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1.5', online && 'text-success')}>
      <span aria-hidden className={cx('size-2 rounded-full', online ? 'bg-success' : 'border border-edge')} />
      <span className="max-sm:sr-only">{online ? t('Online') : t('Offline')}</span>
    </span>
  );
}

/** Names the colleagues who have the chat open, so that two do not answer at once. */
function Viewers({ chatId, userId }: { chatId: string; userId: string }) {
  const text = viewersText(useViewers(chatId, userId));
  return (
    <p
      role="status"
      className="pointer-events-none absolute inset-x-4 top-full z-10 flex justify-center pt-2 text-xs font-medium"
    >
      {text && (
        <span className="inline-flex max-w-full animate-fade items-center gap-1.5 rounded-full border bg-raised px-3 py-1 shadow-float">
          <Eye size={14} aria-hidden className="shrink-0 text-accent" />
          <span className="truncate">{text}</span>
        </span>
      )}
    </p>
  );
}
