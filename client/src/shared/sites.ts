import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { Site, SitePatch } from 'server/contract';
import { call } from '../lib/api.ts';
import { keys } from '../lib/query.ts';
import { localStore } from '../lib/storage.ts';

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

const SELECTED_SITE_KEY = 'parley_site';
const listeners = new Set<() => void>();
const readSelected = () => localStore.get(SELECTED_SITE_KEY);
const onSelect = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const select = (id: string) => {
  localStore.set(SELECTED_SITE_KEY, id);
  for (const listener of listeners) listener();
};

/** The id of the site that was last selected, which may be gone by now, and the way to select another. */
export function useSelectedSiteId(): [string | null, (id: string) => void] {
  return [useSyncExternalStore(onSelect, readSelected), select];
}

/** The user's sites and the one that is selected: the last choice while it lasts, else the first. */
export function useSelectedSite() {
  const { data: sites = NONE, isPending } = useSites();
  const [choice, select] = useSelectedSiteId();
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

/** Changes a part of a site: the switch of its widget, say. */
export function usePatchSite(id: string) {
  return useSiteChange((body: SitePatch) => call('PATCH /sites/:id', { params: { id }, body }));
}

/** Makes or changes a site, and puts what the server answers where the screens read it. */
export function useSiteChange<Input>(change: (input: Input) => Promise<{ site: Site }>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => (await change(input)).site,
    onSuccess: (site) => {
      queryClient.setQueryData(keys.site(site._id), site);
      queryClient.setQueryData<Site[]>(keys.sites, (sites) => {
        if (!sites) return sites;
        return sites.some((each) => each._id === site._id)
          ? sites.map((each) => (each._id === site._id ? site : each))
          : [...sites, site];
      });
    },
  });
}
