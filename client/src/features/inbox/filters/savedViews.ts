import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { InboxFilter, SavedView } from 'server/contract';
import { type Choices, DEFAULT_CHOICES } from '#features/chats';
import { call } from '../../../lib/api.ts';
import { keys } from '../../../lib/query.ts';
import { useSocketEvents } from '../../../lib/socket.tsx';
import { type ListOrder, useChangeList } from '../../../shared/changeList.ts';

const NONE: readonly SavedView[] = [];

/** The user's saved views in their order; changes in other tabs come over the socket. */
export function useSavedViews(): readonly SavedView[] {
  const client = useQueryClient();
  const reload = () => void client.invalidateQueries({ queryKey: keys.views }, { cancelRefetch: false });
  useSocketEvents({ views_changed: reload }, reload);
  const { data = NONE } = useQuery({
    queryKey: keys.views,
    queryFn: async ({ signal }) => (await call('GET /inbox/views', { signal })).views,
  });
  return data;
}

/** Changes to the saved views, each answered with all of them. */
export type ViewChange =
  | { do: 'add'; name: string; filter: InboxFilter }
  | { do: 'replace'; view: SavedView }
  | { do: 'remove'; id: string }
  | ListOrder;

/** Changes the saved views. */
export function useChangeViews() {
  return useChangeList<SavedView, ViewChange>({
    queryKey: keys.views,
    ask: async (change) => (await askFor(change)).views,
  });
}

function askFor(change: ViewChange): Promise<{ views: SavedView[] }> {
  switch (change.do) {
    case 'add':
      return call('POST /inbox/views', { body: { name: change.name, ...change.filter } });
    case 'replace': {
      const { _id, ...body } = change.view;
      return call('PUT /inbox/views/:id', { params: { id: _id }, body });
    }
    case 'remove':
      return call('DELETE /inbox/views/:id', { params: { id: change.id } });
    case 'order':
      return call('PUT /inbox/views', { body: { ids: change.ids } });
  }
}

/** The choices that a saved view stands for. */
export function choicesOfView(view: SavedView): Choices {
  const { status, siteId: site, claimedBy: agent, unread, tag, department, sort } = view;
  return {
    ...DEFAULT_CHOICES,
    ...(status && { status }),
    ...(site && { site }),
    ...(agent && { agent }),
    ...(tag && { tag }),
    ...(department && { department }),
    ...(sort && { sort }),
    unread: unread === 'yes',
  };
}

/** What is saved of the user's choices: everything but the search words. */
export function filterToSave({ status, site, agent, unread, tag, department, sort }: Choices): InboxFilter {
  return {
    ...(status !== 'all' && { status }),
    ...(site !== null && { siteId: site }),
    ...(agent !== null && { claimedBy: agent }),
    ...(unread && { unread: 'yes' }),
    ...(tag !== null && { tag }),
    ...(department !== null && { department }),
    ...(sort === 'waiting' && { sort }),
  };
}

/** The saved view whose choices these are. */
export function currentView(views: readonly SavedView[], choices: Choices): SavedView | undefined {
  const saved = JSON.stringify(choices);
  return views.find((view) => JSON.stringify(choicesOfView(view)) === saved);
}
