import { useInfiniteQuery } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';

/** Who is on the site right now, the latest comer first. */
export function useVisitors(siteId: string) {
  return useInfiniteQuery({
    queryKey: keys.visitors(siteId),
    queryFn: ({ pageParam, signal }) =>
      call('GET /sites/:id/visitors', {
        params: { id: siteId },
        query: pageParam === undefined ? {} : { cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    select: ({ pages }) => {
      const all = pages.flatMap(({ visitors }) => visitors);
      return [...new Map(all.map((visitor) => [visitor._id, visitor])).values()];
    },
    staleTime: 0,
  });
}
