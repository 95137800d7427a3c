import { useEffect } from 'react';
import type { Site } from 'server/contract';
import { useSites } from '../../features/sites/api.ts';
import { useSiteChoice } from '../../lib/site.ts';

interface SelectedSite {
  sites: readonly Site[];
  selected: Site | null;
  select: (id: string) => void;
  isPending: boolean;
}

const NONE: readonly Site[] = [];

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
