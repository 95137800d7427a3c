import { useMemo, useRef } from 'react';
import type { Site, User } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { useSites } from '../sites/api.ts';
import { useClaim } from './actions.ts';
import { useChats } from './api.ts';
import { inboxKeymap, moveFocus, useKeys } from './keyboard.ts';
import { ChatList } from './list/ChatList.tsx';
import { Row } from './list/ChatRow.tsx';
import { NoChats, NothingOpen } from './list/Empty.tsx';
import { Filters } from './list/InboxFilters.tsx';
import { Panes } from './list/Panes.tsx';
import { isClaimable } from './model/chatPages.ts';
import { Conversation, mayAnswer } from './thread/Conversation.tsx';
import { filterOf, useChatsUrl } from './url.ts';

const NO_SITES: readonly Site[] = [];

/** /dashboard/inbox: all chats of the user's sites on the left, the open one on the right. */
export default function InboxPage() {
  const { user } = useAuth();
  return user && <Inbox user={user} />;
}

function Inbox({ user }: { user: User }) {
  const { data: sites = NO_SITES } = useSites();
  const url = useChatsUrl();
  const filter = useMemo(() => filterOf(url.choices, user._id), [url.choices, user._id]);
  const chats = useChats(filter);
  const claim = useClaim();
  const list = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);

  const focusList = () => {
    const open = list.current?.querySelector<HTMLElement>('a[aria-current]');
    if (open) open.focus();
    else moveFocus(list.current, 1);
  };
  const claimChosen = () => {
    const focused = list.current?.querySelector('[data-row]:focus-within')?.getAttribute('data-row');
    const chat = chats.data?.find((each) => each._id === (focused ?? url.chatId));
    if (chat && isClaimable(chat) && mayAnswer(chat, sites)) claim(chat);
  };
  useKeys(
    inboxKeymap({
      next: () => moveFocus(list.current, 1),
      previous: () => moveFocus(list.current, -1),
      claim: claimChosen,
      reply: () => composer.current?.focus(),
      search: () => search.current?.focus(),
      leave: focusList,
    }),
  );

  return (
    <div className="flex h-full">
      {/* Said here, because a phone shows either the list or a chat. */}
      <h1 className="sr-only">Chat Inbox</h1>
      <Panes
        listRef={list}
        open={url.chatId !== null}
        list={
          <>
            <Filters choices={url.choices} sites={sites} search={search} onChoose={url.choose} />
            <ChatList
              // Another list begins at its top.
              key={JSON.stringify(filter)}
              list={chats}
              empty={<NoChats choices={url.choices} sites={sites} onChoose={url.choose} />}
              row={(chat) => (
                <Row
                  chat={chat}
                  userId={user._id}
                  to={url.linkTo(chat._id)}
                  open={chat._id === url.chatId}
                  onClaim={isClaimable(chat) && mayAnswer(chat, sites) ? () => claim(chat) : undefined}
                />
              )}
            />
          </>
        }
      >
        {url.chatId !== null ? (
          <Conversation
            key={url.chatId}
            chatId={url.chatId}
            user={user}
            sites={sites}
            composer={composer}
            onBack={url.leave}
          />
        ) : (
          <NothingOpen />
        )}
      </Panes>
    </div>
  );
}
