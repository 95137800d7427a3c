import { MessagesSquare } from 'lucide-react';
import { useMemo, useRef } from 'react';
import { useParams } from 'react-router-dom';
import type { Site, User } from 'server/contract';
import { useAuth } from '../../../lib/auth.tsx';
import { ApiError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { useShortcuts } from '../../../lib/keyboard.ts';
import { UnknownSite } from '../../../shared/SiteEmptyStates.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { useSite } from '../../sites/api.ts';
import { useChats } from '../api.ts';
import { inboxKeymap } from '../inboxKeys.ts';
import { ChatList, ChatPanes, displayOrderOf } from '../list/ChatList.tsx';
import { filterOf, useChatsUrl } from '../url.ts';
import { ConsoleChat } from './ConsoleChat.tsx';
import { ConsoleFilters, ConsoleRow, NoConsoleChats } from './ConsoleList.tsx';

/** /dashboard/sites/:siteId/chats: the chats of one website. */
export default function ConsolePage() {
  const { siteId = '' } = useParams();
  const { user } = useAuth();
  const { data: site, error, refetch } = useSite(siteId);
  if (user && site) return <Console key={siteId} user={user} site={site} />;
  if (!error) return null;
  if (error instanceof ApiError && error.status > 0 && error.status < 500) return <NoSite />;
  return <ErrorState what={t('The website could not be loaded.')} onRetry={() => void refetch()} />;
}

function Console({ user, site }: { user: User; site: Site }) {
  const url = useChatsUrl();
  const choices = useMemo(() => ({ ...url.choices, site: site._id }), [url.choices, site._id]);
  const filter = useMemo(() => filterOf(choices, user._id), [choices, user._id]);
  const chats = useChats(filter, true, displayOrderOf(filter));
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);
  useShortcuts(
    inboxKeymap({
      reply: () => composer.current?.focus(),
      search: () => search.current?.focus(),
    }),
  );
  return (
    <div className="flex h-full flex-col">
      <ConsoleFilters
        site={site}
        choices={choices}
        searchRef={search}
        onChoose={url.choose}
        folded={url.chatId !== null}
      />
      <div className="flex min-h-0 flex-1">
        <ChatPanes
          listRef={list}
          open={url.chatId !== null}
          list={
            <ChatList
              key={JSON.stringify(choices)}
              listRef={list}
              list={chats}
              openId={url.chatId}
              empty={<NoConsoleChats choices={choices} site={site} onChoose={url.choose} />}
              row={(chat, place) => (
                <ConsoleRow chat={chat} place={place} to={url.linkTo(chat._id)} open={chat._id === url.chatId} />
              )}
            />
          }
        >
          {url.chatId !== null ? (
            <ConsoleChat
              key={url.chatId}
              chatId={url.chatId}
              user={user}
              site={site}
              composer={composer}
              at={url.at}
              onShow={url.showMessage}
              onBack={url.leave}
            />
          ) : (
            <div className="flex flex-1 items-center justify-center">
              <EmptyState
                icon={MessagesSquare}
                title={t('Select a chat')}
                text={t('Choose a chat from the list to start messaging')}
              />
            </div>
          )}
        </ChatPanes>
      </div>
    </div>
  );
}

function NoSite() {
  return (
    <div className="flex min-h-full items-center justify-center">
      <h1 className="sr-only">{t('Chats')}</h1>
      <UnknownSite icon={MessagesSquare} />
    </div>
  );
}
