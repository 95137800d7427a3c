import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useUnreadChats } from '#features/chats';
import { useMentions } from '#features/notify';
import { useNotices } from '#features/usage';
import { listed, t } from '../../lib/i18n.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { Popover } from '../../ui/Popover.tsx';
import { UnreadBadge } from './unreadCount.tsx';

const NotificationList = lazyPart(async () => (await import('./NotificationList.tsx')).NotificationList);

/** The bell: the number of unread chats and mentions, and a mark if something needs attention. */
export function NotificationBell() {
  const { chats, count: unread } = useUnreadChats();
  const [open, setOpen] = useState(false);
  const notices = useNotices();
  const mentions = useMentions();
  const count = unread + mentions.length;
  return (
    <Popover
      label={t('Unread chats')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className="relative inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted hover:bg-text/5 hover:text-text"
        >
          <Bell size={18} aria-hidden />
          <span className="sr-only">
            {listed([
              t('Notifications'),
              ...(notices.length > 0 ? [t('something needs your attention')] : []),
              // Else the badge goes on with the number.
              count === 0 ? t('none unread') : '',
            ])}
          </span>
          <UnreadBadge count={count} className="absolute top-1 end-0.5" />
          {notices.length > 0 && (
            <span
              aria-hidden
              className="absolute end-1.5 bottom-1.5 size-2.5 rounded-full border-2 border-surface bg-waiting"
            />
          )}
        </button>
      }
    >
      <NotificationList chats={chats} mentions={mentions} notices={notices} onFollow={() => setOpen(false)} />
    </Popover>
  );
}
