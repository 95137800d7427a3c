import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Site, SiteBody } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { useSiteChange, useSites } from '../../shared/sites.ts';

// What only the screens of sites ask: beside `api.ts`, which every screen of the dashboard loads.

/** Whoever waits for the widget to be seen hears of it this soon. */
const INSTALLATION_EVERY_MS = 2_000;
/** After so many questions, ten minutes' worth, whoever waits is probably gone. */
const INSTALLATION_EAGER = 300;
const INSTALLATION_LATER_MS = 30_000;

/** How many sites the user owns, and may own; `null` until the server has said it. */
export function useSiteRoom(): { owned: number; limit: number; isFull: boolean } | null {
  const { data: sites } = useSites();
  const { data: limit } = useQuery<number>({ queryKey: keys.siteLimit, queryFn: skipToken });
  if (!sites || limit === undefined) return null;
  const owned = sites.filter(({ isOwner }) => isOwner).length;
  return { owned, limit, isFull: owned >= limit };
}

/** Makes a site; the answer is the whole site with its `widgetCode`. */
export function useCreateSite() {
  return useSiteChange((body: SiteBody) => call('POST /sites', { body }));
}

/** Deletes a site with all its chats. */
export function useDeleteSite(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call('DELETE /sites/:id', { params: { id } }),
    onSuccess: () => {
      queryClient.setQueryData<Site[]>(keys.sites, (sites) => sites?.filter((site) => site._id !== id));
      queryClient.removeQueries({ queryKey: keys.site(id) });
      for (const queryKey of keys.ofChats) void queryClient.invalidateQueries({ queryKey });
    },
  });
}

interface InstallationWatch {
  enabled: boolean;
  /** When the widget had been seen before somebody began to wait; left out: nobody waits. */
  waitingFrom: string | null | undefined;
}

/** Where the widget was seen last; asked again and again while somebody waits for it, also behind another window. */
export function useInstallation(siteId: string, { enabled, waitingFrom }: InstallationWatch) {
  return useQuery({
    queryKey: keys.installation(siteId),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/installation', { params: { id: siteId }, signal })).installation,
    enabled,
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (waitingFrom === undefined || (data && data.seenAt !== waitingFrom)) return false;
      return dataUpdateCount < INSTALLATION_EAGER ? INSTALLATION_EVERY_MS : INSTALLATION_LATER_MS;
    },
    refetchIntervalInBackground: true,
  });
}

/** The page with nothing but the site's chat. */
export function useChatPage({ _id, widgetCode }: Site, enabled: boolean) {
  return useQuery({
    queryKey: keys.chatPage(_id, widgetCode),
    queryFn: async ({ signal }) => (await call('GET /sites/:id/chat-page', { params: { id: _id }, signal })).chatPage,
    enabled,
  });
}

/** How often each greeting of the site was shown and answered. */
export function useGreetingFigures(siteId: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.greetings(siteId),
    queryFn: async ({ signal }) =>
      (await call('GET /sites/:id/greetings', { params: { id: siteId }, signal })).greetings,
    enabled,
    staleTime: 0,
  });
}

/** Gives the site a new widget code; the old one is dead from then on. */
export function useNewWidgetCode(id: string) {
  return useSiteChange<void>(() => call('POST /sites/:id/widget-code', { params: { id } }));
}

/** Shows the identity secret or makes a new one. Kept nowhere but on the screen that asked. */
export function useIdentitySecret(id: string) {
  return useMutation({
    mutationFn: async (how: 'show' | 'renew') =>
      how === 'show'
        ? (await call('GET /sites/:id/identity-secret', { params: { id } })).secret
        : (await call('POST /sites/:id/identity-secret', { params: { id } })).secret,
    gcTime: 0,
  });
}

export function useHandOver(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) => call('POST /sites/:id/owner', { params: { id }, body: { userId } }),
    onSuccess: async () => {
      const stale = [keys.sites, keys.site(id), keys.team(id)];
      await Promise.all(stale.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
  });
}
