import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Site, SiteBody, SitePatch } from 'server/contract';
import { call } from '../../lib/api.ts';
import { keys } from '../../lib/query.ts';
import { useSiteChoice } from '../../lib/site.ts';

/** Whoever waits for the widget to be seen hears of it this soon. */
const INSTALLATION_EVERY_MS = 2_000;
/** After so many questions, ten minutes' worth, whoever waits is probably gone. */
const INSTALLATION_EAGER = 300;
const INSTALLATION_LATER_MS = 30_000;

interface SelectedSite {
  sites: readonly Site[];
  selected: Site | null;
  select: (id: string) => void;
  isPending: boolean;
}

const NONE: readonly Site[] = [];

/** The sites that the signed-in user belongs to. */
export function useSites() {
  const client = useQueryClient();
  return useQuery({
    queryKey: keys.sites,
    queryFn: async ({ signal }) => {
      const { sites, limit } = await call('GET /sites', { signal });
      client.setQueryDefaults(keys.siteLimit, { gcTime: Number.POSITIVE_INFINITY });
      client.setQueryData(keys.siteLimit, limit);
      return sites;
    },
  });
}

/** How many sites the user owns, and may own; `null` until the server has said it. */
export function useSiteRoom(): { owned: number; limit: number; isFull: boolean } | null {
  const { data: sites } = useSites();
  const { data: limit } = useQuery<number>({ queryKey: keys.siteLimit, queryFn: skipToken });
  if (!sites || limit === undefined) return null;
  const owned = sites.filter(({ isOwner }) => isOwner).length;
  return { owned, limit, isFull: owned >= limit };
}

/** The user's sites and the one that is selected: the last choice while it lasts, else the first. */
export function useSelectedSite(): SelectedSite {
  const { data: sites = NONE, isPending } = useSites();
  const [choice, select] = useSiteChoice();
  const selected = sites.find((site) => site._id === choice) ?? sites[0] ?? null;
  const selectedId = selected?._id;
  useEffect(() => {
    if (selectedId !== undefined && selectedId !== choice) select(selectedId);
  }, [selectedId, choice, select]);
  return { sites, selected, select, isPending };
}

/** One site; what the list already knows of it shows at once. */
export function useSite(id: string) {
  const queryClient = useQueryClient();
  return useQuery({
    queryKey: keys.site(id),
    queryFn: async ({ signal }) => (await call('GET /sites/:id', { params: { id }, signal })).site,
    placeholderData: () => queryClient.getQueryData<Site[]>(keys.sites)?.find((site) => site._id === id),
  });
}

/** Makes a site; the answer is the whole site with its `widgetCode`. */
export function useCreateSite() {
  const keep = useKeepSite();
  return useMutation({
    mutationFn: async (body: SiteBody) => (await call('POST /sites', { body })).site,
    onSuccess: keep,
  });
}

/** Saves the whole site form. */
export function useSaveSite(id: string) {
  const keep = useKeepSite();
  return useMutation({
    mutationFn: async (body: SiteBody) => (await call('PUT /sites/:id', { params: { id }, body })).site,
    onSuccess: keep,
  });
}

/** Changes a part of a site: the switch of its widget, say. */
export function usePatchSite(id: string) {
  const keep = useKeepSite();
  return useMutation({
    mutationFn: async (body: SitePatch) => (await call('PATCH /sites/:id', { params: { id }, body })).site,
    onSuccess: keep,
  });
}

/** Deletes a site with all its chats. */
export function useDeleteSite(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => call('DELETE /sites/:id', { params: { id } }),
    onSuccess: () => {
      queryClient.setQueryData<Site[]>(keys.sites, (sites) => sites?.filter((site) => site._id !== id));
      queryClient.removeQueries({ queryKey: keys.site(id) });
      void queryClient.invalidateQueries({ queryKey: keys.chats() });
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

/** Gives the site a new widget code; the old one is dead from then on. */
export function useNewWidgetCode(id: string) {
  const keep = useKeepSite();
  return useMutation({
    mutationFn: async () => (await call('POST /sites/:id/widget-code', { params: { id } })).site,
    onSuccess: keep,
  });
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

/** Makes another member the owner. */
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

/** Puts the site that the server answered where the screens read it. */
function useKeepSite() {
  const queryClient = useQueryClient();
  return (site: Site) => {
    queryClient.setQueryData(keys.site(site._id), site);
    queryClient.setQueryData<Site[]>(keys.sites, (sites) => {
      if (!sites) return sites;
      return sites.some((each) => each._id === site._id)
        ? sites.map((each) => (each._id === site._id ? site : each))
        : [...sites, site];
    });
  };
}
