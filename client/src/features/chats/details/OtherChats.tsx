import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Chat } from 'server/contract';
import { call } from '../../../lib/api.ts';
import { t } from '../../../lib/i18n.ts';
import { keys } from '../../../lib/query.ts';
import { Button } from '../../../ui/Button.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Time } from '../../../ui/Time.tsx';
import { VirtualList, type VirtualRowProps } from '../../../ui/VirtualList.tsx';
import { preview, StatusBadge } from '../ChatLabels.tsx';
import { useChatsUrl } from '../url.ts';

const PAGE_SIZE = 10;
const ROW_HEIGHT_PX = 34;

/** The other chats of the same visitor, as links. */
export function OtherChats({ chat }: { chat: Chat }) {
  const chats = useChatsOf(chat.visitorId);
  const others = useMemo(() => chats.data?.filter(({ _id }) => _id !== chat._id), [chats.data, chat._id]);
  return (
    <section aria-label={t('Other chats')} className="border-b px-5 py-5">
      <h3 className="pb-1 text-xs text-muted">{t('Other chats')}</h3>
      {chats.isPending && <Skeleton className="mt-1 h-9" />}
      {chats.isError && !others && (
        <p role="alert" className="flex flex-wrap items-center justify-between gap-2">
          {t('Could not be loaded.')}
          <Button variant="secondary" size="sm" onClick={() => void chats.refetch()}>
            {t('Try again')}
          </Button>
        </p>
      )}
      {others?.length === 0 && <p>{t('This is the first chat.')}</p>}
      {others && others.length > 0 && (
        <VirtualList
          label={t('Other chats')}
          className="-mx-2"
          rows={others}
          rowHeight={ROW_HEIGHT_PX}
          row={(other, place) => <OtherChatRow chat={other} place={place} />}
        />
      )}
      {chats.hasNextPage && (
        <Button
          variant="secondary"
          size="sm"
          className="mt-2"
          busy={chats.isFetchingNextPage}
          onClick={() => void chats.fetchNextPage()}
        >
          {t('Show more')}
        </Button>
      )}
    </section>
  );
}

function OtherChatRow({ chat, place }: { chat: Chat; place: VirtualRowProps }) {
  const { linkTo } = useChatsUrl();
  return (
    <li {...place}>
      <Link
        to={linkTo(chat._id)}
        className="flex items-center gap-2 rounded-control px-2 py-1.5 transition-colors hover:bg-text/5 focus-visible:-outline-offset-2"
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {preview(chat)}
        </span>
        <Time at={chat.metadata.lastActivity} className="shrink-0 text-xs text-muted" />
        <StatusBadge {...chat} />
      </Link>
    </li>
  );
}

/** All chats of a visitor, newest first; `data` is the rows of all loaded pages. */
function useChatsOf(visitorId: string) {
  return useInfiniteQuery({
    queryKey: keys.earlier(visitorId),
    queryFn: ({ pageParam, signal }) =>
      call('GET /visitors/:id/chats', {
        params: { id: visitorId },
        query: { limit: PAGE_SIZE, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap(({ chats }) => chats),
  });
}
