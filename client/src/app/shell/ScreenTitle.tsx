import { useMatches } from 'react-router-dom';
import { useChat } from '#features/chats';
import { facts, t } from '../../lib/i18n.ts';
import { visitorName } from '../../shared/visitorName.ts';
import type { RouteHandle } from '../guards.tsx';

/** Higher counts are shown as `99+`; no more chats are loaded to count them. */
const UNREAD_SHOWN_MAX = 99;

/**
 * The title of the open screen: the number of unread chats, the visitor of the open chat, and the screen. Screen readers are told of
 * a chat that is opened, since the focus stays in the list.
 * @param chatId empty: no chat is open
 */
export function ScreenTitle({ unread, chatId }: { unread: number; chatId: string }) {
  const handle = useMatches().findLast((match) => match.handle !== undefined)?.handle as RouteHandle | undefined;
  const { data: chat } = useChat(chatId);
  const name = chatId !== '' && chat ? visitorName(chat.visitorInfo.name) : '';
  const title = facts(name, handle?.title && t(handle.title), 'Parley');
  const count = unread > UNREAD_SHOWN_MAX ? `${UNREAD_SHOWN_MAX}+` : unread;
  return (
    <>
      <title>{unread > 0 ? `(${count}) ${title}` : title}</title>
      <p role="status" className="sr-only">
        {name && <span key={chatId}>{t('Chat with {name} opened', { name })}</span>}
      </p>
    </>
  );
}
