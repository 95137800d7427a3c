import { useQuery } from '@tanstack/react-query';
import type { Chat, Site } from 'server/contract';
import { call } from '../../lib/api.ts';
import { useAuth } from '../../lib/auth.tsx';
import { keys } from '../../lib/query.ts';
import { useDebounced } from '../../lib/timing.ts';
import { type Find, findsFor } from './finds.ts';
import { recentFinds, rememberFind } from './recent.ts';

/** A pause this long between two letters is worth a question. */
const PAUSE_MS = 150;

interface Finds {
  finds: Find[];
  /** `partly`: the server could not be asked, and these are only what the page knows. */
  state: 'searching' | 'done' | 'partly';
  remember: (find: Find) => void;
}

/** What the search box finds for what is typed in it: at once from the page's own knowledge, then from the server. */
export function useFinds(query: string, sites: readonly Site[], chats: readonly Chat[]): Finds {
  const { user } = useAuth();
  const typed = query.trim();
  const asked = useDebounced(typed, PAUSE_MS);
  const search = useQuery({
    queryKey: keys.search(asked),
    queryFn: ({ signal }) => call('GET /search', { query: { q: asked }, signal }),
    enabled: asked !== '',
  });
  const isOld = asked !== typed || search.isPending;
  const userId = user?._id ?? '';
  return {
    finds: findsFor(typed, { sites, chats, recent: recentFinds(userId) }, isOld ? undefined : search.data),
    state: search.isError ? 'partly' : typed !== '' && isOld ? 'searching' : 'done',
    remember: (find) => rememberFind(userId, find),
  };
}
