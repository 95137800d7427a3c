import { useState } from 'react';
import type { Chat, Site, User } from 'server/contract';
import { inboxKeymap, isClaimable, OpenChat, useClaim } from '#features/chats';
import { mayAnswer, SelectBox, type Selected, SelectionBar } from '#features/selection';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { useShortcuts } from '../../lib/keyboard.ts';
import { useSites } from '../../shared/sites.ts';
import { ChatPanes } from './list/ChatList.tsx';
import { ChatRow } from './list/ChatRow.tsx';
import { EmptyInbox, NothingOpen } from './list/EmptyInbox.tsx';
import { InboxFilters } from './list/InboxFilters.tsx';
import { NotReceivingBanner } from './list/NotReceivingBanner.tsx';
import { useChatsPage } from './list/useChatsPage.ts';

const NO_SITES: readonly Site[] = [];

/** /dashboard/inbox: all chats of the user's websites on the left, the open one on the right. */
export default function InboxPage() {
  const { user } = useAuth();
  return user && <Inbox user={user} />;
}

function Inbox({ user }: { user: User }) {
  const { data: sites = NO_SITES } = useSites();
  const page = useChatsPage(user);
  const { url, chats, open, listRef } = page;
  const claim = useClaim();
  const [filtering, setFiltering] = useState(false);
  const [selected, onSelect] = useState<Selected>();
  const picking = { chats: chats.data, sites, selected, onSelect };

  const claimAndOpen = (chat: Chat) => {
    claim(chat);
    url.open(chat._id);
  };
  const claimFocused = () => {
    const focused = listRef.current?.querySelector('[data-row]:focus-within')?.getAttribute('data-row');
    const chat = chats.data?.find((each) => each._id === (focused ?? url.chatId));
    if (chat && isClaimable(chat) && mayAnswer(chat, sites)) claimAndOpen(chat);
  };
  useShortcuts(inboxKeymap({ claim: claimFocused, filter: () => setFiltering(true) }));

  return (
    <div className="flex h-full">
      {/* Hidden: a phone shows either the list or a chat, and the heading must be there with both. */}
      <h1 className="sr-only">{t('Chat Inbox')}</h1>
      <ChatPanes
        page={page}
        head={
          <>
            <div className="relative">
              <div inert={selected !== undefined}>
                <InboxFilters
                  choices={url.choices}
                  sites={sites}
                  userId={user._id}
                  searchRef={page.searchRef}
                  open={filtering}
                  onOpenChange={setFiltering}
                  onChoose={url.choose}
                />
              </div>
              <SelectionBar {...picking} listRef={listRef} />
            </div>
            <NotReceivingBanner user={user} sites={sites} />
          </>
        }
        empty={<EmptyInbox choices={url.choices} sites={sites} onChoose={url.choose} />}
        row={(chat, place) => (
          <ChatRow
            chat={chat}
            place={place}
            userId={user._id}
            to={url.linkTo(chat._id)}
            open={chat._id === url.chatId}
            box={<SelectBox {...picking} chat={chat} />}
            onClaim={isClaimable(chat) && mayAnswer(chat, sites) ? () => claimAndOpen(chat) : undefined}
          />
        )}
      >
        {open ? <OpenChat key={open.chatId} {...open} sites={sites} /> : <NothingOpen />}
      </ChatPanes>
    </div>
  );
}
