import { MessagesSquare } from 'lucide-react';
import { useParams } from 'react-router-dom';
import type { Site, User } from 'server/contract';
import { ConsoleChat } from '#features/chats';
import { useAuth } from '../../../lib/auth.tsx';
import { ApiError } from '../../../lib/http.ts';
import { t } from '../../../lib/i18n.ts';
import { UnknownSite } from '../../../shared/SiteEmptyStates.tsx';
import { useSite } from '../../../shared/sites.ts';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import { ChatPanes } from '../list/ChatList.tsx';
import { useChatsPage } from '../list/useChatsPage.ts';
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
  const page = useChatsPage(user, site._id);
  const { url, choices, open } = page;
  return (
    <div className="flex h-full flex-col">
      <ConsoleFilters
        site={site}
        choices={choices}
        searchRef={page.searchRef}
        onChoose={url.choose}
        folded={open !== null}
      />
      <div className="flex min-h-0 flex-1">
        <ChatPanes
          page={page}
          empty={<NoConsoleChats choices={choices} site={site} onChoose={url.choose} />}
          row={(chat, place) => (
            <ConsoleRow chat={chat} place={place} to={url.linkTo(chat._id)} open={chat._id === url.chatId} />
          )}
        >
          {open ? (
            <ConsoleChat key={open.chatId} {...open} site={site} />
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
