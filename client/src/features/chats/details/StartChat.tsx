import { useQueryClient } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import { useState } from 'react';
import { type Chat, can, type Site } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { StartChatDialog } from '../../../shared/StartChatDialog.tsx';
import { Button } from '../../../ui/Button.tsx';
import { putChat } from '../live/cache.ts';
import { useChatsUrl } from '../url.ts';

/** Writes to a visitor who is online and whose last chat is closed. */
export function StartChat({ chat, site }: { chat: Chat; site: Site }) {
  const [isOpen, setOpen] = useState(false);
  const client = useQueryClient();
  const url = useChatsUrl();
  if (chat.status !== 'closed' || chat.blocked || !can(site, 'chats.reply')) return null;
  const { name } = chat.visitorInfo;
  return (
    <>
      <Button size="sm" className="mt-1" onClick={() => setOpen(true)}>
        <MessageSquarePlus size={16} aria-hidden />
        {t('Start a chat')}
      </Button>
      <StartChatDialog
        visitorId={isOpen ? chat.visitorId : null}
        title={t('Start a chat')}
        text={
          name
            ? t('{name} is on {site} right now and sees your message at once.', { name, site: site.name })
            : t('The visitor is on {site} right now and sees your message at once.', { site: site.name })
        }
        onClose={() => setOpen(false)}
        onSent={(begun) => {
          putChat(client, begun);
          void client.invalidateQueries({ queryKey: keys.earlier(chat.visitorId) });
        }}
        onStarted={(begun) => {
          setOpen(false);
          url.open(begun._id);
        }}
      />
    </>
  );
}
