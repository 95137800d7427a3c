import { useRef } from 'react';
import type { Site } from 'server/contract';
import { useAuth } from '../../lib/auth.tsx';
import { cx } from '../../lib/cx.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { useSites } from '../sites/api.ts';
import { useChats, useClaim } from './api.ts';
import { Conversation, mayAnswer } from './Conversation.tsx';
import { NoChats, NothingOpen } from './Empty.tsx';
import { Filters } from './Filters.tsx';
import { inboxKeymap, moveFocus, useKeys } from './keyboard.ts';
import { List, ListSkeleton } from './List.tsx';
import { claimable } from './rows.ts';
import { useInboxUrl } from './url.ts';

const NO_SITES: readonly Site[] = [];

/** /dashboard/inbox: all chats of the user's sites on the left, the open one on the right. */
export default function InboxPage() {
  const { user } = useAuth();
  const { data: sites = NO_SITES } = useSites();
  const url = useInboxUrl();
  const chats = useChats(url.filter);
  const claim = useClaim();
  const list = useRef<HTMLElement>(null);
  const composer = useRef<HTMLTextAreaElement>(null);

  const focusOpenRow = () => list.current?.querySelector<HTMLElement>('a[aria-current]')?.focus();
  const claimOpen = () => {
    const focused = list.current?.querySelector('[data-row]:focus-within')?.getAttribute('data-row');
    const chat = chats.data?.find((each) => each._id === (focused ?? url.chatId));
    if (chat && claimable(chat) && mayAnswer(chat, sites)) claim.mutate(chat);
  };
  useKeys(
    inboxKeymap({
      next: () => moveFocus(list.current, 1),
      previous: () => moveFocus(list.current, -1),
      claim: claimOpen,
      reply: () => composer.current?.focus(),
      leave: focusOpenRow,
    }),
  );

  return (
    <div className="flex h-full">
      {/* Said here, because a phone shows either the list or a chat. */}
      <h1 className="sr-only">Chat Inbox</h1>
      <section
        ref={list}
        aria-label="Chat list"
        className={cx(
          'flex w-full shrink-0 flex-col bg-surface md:w-76 md:border-r min-[1440px]:w-86',
          url.chatId !== null && 'max-md:hidden',
        )}
      >
        <p aria-hidden className="px-4 pt-4 pb-1 text-xl font-semibold">
          Chat Inbox
        </p>
        <Filters filter={url.filter} sites={sites} onChoose={url.choose} />
        {chats.data && chats.data.length > 0 && (
          <List
            chats={chats.data}
            sites={sites}
            openId={url.chatId}
            linkTo={url.linkTo}
            onClaim={(chat) => claim.mutate(chat)}
            onNearEnd={() => {
              if (chats.hasNextPage && !chats.isFetchingNextPage && !chats.isFetchNextPageError) {
                void chats.fetchNextPage();
              }
            }}
          />
        )}
        {chats.isFetchNextPageError && (
          <ErrorState what="More chats could not be loaded." onRetry={() => void chats.fetchNextPage()} />
        )}
        {chats.isPending && <ListSkeleton />}
        {chats.isError && !chats.data && (
          <ErrorState what="Your chats could not be loaded." onRetry={() => void chats.refetch()} />
        )}
        {chats.data?.length === 0 && <NoChats filter={url.filter} sites={sites} onChoose={url.choose} />}
      </section>
      <div className={cx('flex min-w-0 flex-1', url.chatId === null && 'max-md:hidden')}>
        {url.chatId !== null && user ? (
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
      </div>
    </div>
  );
}
