import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

const SITE_KEY = 'parley_site';

const listeners = new Set<() => void>();

function read(): string | null {
  return localStore.get(SITE_KEY);
}

function select(id: string): void {
  localStore.set(SITE_KEY, id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The id of the site that was last selected, which may be gone by now, and the way to select another. */
export function useSiteChoice(): [string | null, (id: string) => void] {
  return [useSyncExternalStore(subscribe, read), select];
}
