import { useSyncExternalStore } from 'react';

const SITE_KEY = 'parley_site';

const listeners = new Set<() => void>();
let memory: string | null = null;

function read(): string | null {
  try {
    return localStorage.getItem(SITE_KEY);
  } catch {
    return memory;
  }
}

function select(id: string): void {
  memory = id;
  try {
    localStorage.setItem(SITE_KEY, id);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
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
