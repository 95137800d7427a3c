import type { ReactNode } from 'react';
import type { Chat } from 'server/contract';
import { ErrorState } from '../../../ui/ErrorState.tsx';
import type { useChats } from '../api.ts';
import { List, ListSkeleton } from './List.tsx';

interface ChatListProps {
  list: ReturnType<typeof useChats>;
  row: (chat: Chat) => ReactNode;
  /** What stands there without any chat. */
  empty: ReactNode;
}

/** A list of chats in whichever state it is, with the next page on its way in time. */
export function ChatList({ list, row, empty }: ChatListProps) {
  const loadMore = () => {
    if (!list.hasNextPage || list.isFetchingNextPage || list.isFetchNextPageError) return;
    // Scrolling and drawing may both ask before what is drawn says that it was asked for.
    void list.fetchNextPage({ cancelRefetch: false });
  };
  if (!list.data) {
    if (list.isPending) return <ListSkeleton />;
    return <ErrorState what="Your chats could not be loaded." onRetry={() => void list.refetch()} />;
  }
  return (
    <>
      {list.data.length === 0 ? empty : <List chats={list.data} row={row} onNearEnd={loadMore} />}
      {list.isFetchNextPageError && (
        <ErrorState what="More chats could not be loaded." onRetry={() => void list.fetchNextPage()} />
      )}
    </>
  );
}
