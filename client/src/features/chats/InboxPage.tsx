import { useMemo, useRef, useState } from 'react';
import type { Chat, Site, User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { t } from '../../lib/i18n.ts';
import { useShortcuts } from '../../lib/keyboard.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { useSites } from '../sites/api.ts';
import { isClaimable, useClaim } from './actions/claim.ts';
import { useChats } from './api.ts';
import { inboxKeymap } from './inboxKeys.ts';
import { ChatList, ChatPanes, displayOrderOf } from './list/ChatList.tsx';
import { ChatRow } from './list/ChatRow.tsx';
import { InboxFilters } from './list/InboxFilters.tsx';
import { NoChats, NothingOpen } from './list/NoChats.tsx';
import { WhyNoChats } from './list/WhyNoChats.tsx';
import { SelectBox, SelectionBar } from './selection/api.tsx';
import { mayAnswer, type Selected } from './selection/selected.ts';
import { ConversationSkeleton } from './thread/Skeletons.tsx';
import { filterOf, useChatsUrl } from './url.ts';

const NO_SITES: readonly Site[] = [];
const OpenChat = lazyPart(async () => (await import('./thread/OpenChat.tsx')).OpenChat, {
  waiting: <ConversationSkeleton />,
});

/** /dashboard/inbox: all chats of the user's websites on the left, the open one on the right. */
export default function InboxPage() {
  const { user } = useAuth();
  return user && <Inbox user={user} />;
}

function Inbox({ user }: { user: User }) {
  const { data: sites = NO_SITES } = useSites();
  const url = useChatsUrl();
  const filter = useMemo(() => filterOf(url.choices, user._id), [url.choices, user._id]);
  const chats = useChats(filter, true, displayOrderOf(filter));
  const claim = useClaim();
  const [filtering, setFiltering] = useState(false);
  const [selected, onSelect] = useState<Selected>();
  const picking = { chats: chats.data, sites, selected, onSelect };
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);

  const claimAndOpen = (chat: Chat) => {
    claim(chat);
    url.open(chat._id);
  };
  const claimFocused = () => {
    const focused = list.current?.querySelector('[data-row]:focus-within')?.getAttribute('data-row');
    const chat = chats.data?.find((each) => each._id === (focused ?? url.chatId));
    if (chat && isClaimable(chat) && mayAnswer(chat, sites)) claimAndOpen(chat);
  };
  useShortcuts(
    inboxKeymap({
      claim: claimFocused,
      reply: () => composer.current?.focus(),
      search: () => search.current?.focus(),
      filter: () => setFiltering(true),
    }),
  );

  return (
    <div className="flex h-full">
      {/* Hidden: a phone shows either the list or a chat, and the heading must be there with both. */}
      <h1 className="sr-only">{t('Chat Inbox')}</h1>
      <ChatPanes
        listRef={list}
        open={url.chatId !== null}
        list={
          <>
            <div className="relative">
              <div inert={selected !== undefined}>
                <InboxFilters
                  choices={url.choices}
                  sites={sites}
                  userId={user._id}
                  searchRef={search}
                  open={filtering}
                  onOpenChange={setFiltering}
                  onChoose={url.choose}
                />
              </div>
              <SelectionBar {...picking} listRef={list} />
            </div>
            <WhyNoChats user={user} sites={sites} />
            <ChatList
              // Another list is scrolled to its top.
              key={JSON.stringify(filter)}
              listRef={list}
              list={chats}
              openId={url.chatId}
              empty={<NoChats choices={url.choices} sites={sites} onChoose={url.choose} />}
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
            />
          </>
        }
      >
        {url.chatId !== null ? (
          <OpenChat
            key={url.chatId}
            chatId={url.chatId}
            user={user}
            sites={sites}
            composer={composer}
            at={url.at}
            onShow={url.showMessage}
            onBack={url.leave}
          />
        ) : (
          <NothingOpen />
        )}
      </ChatPanes>
    </div>
  );
}
