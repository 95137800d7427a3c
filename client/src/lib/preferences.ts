import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

/** A value in local storage that components follow while it changes in this tab. */
function storedValue(key: string) {
  const listeners = new Set<() => void>();
  return {
    get: () => localStore.get(key),
    set: (value: string | null) => {
      if (value === null) localStore.remove(key);
      else localStore.set(key, value);
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const site = storedValue('parley_site');
const singleKeys = storedValue('parley_single_keys');
const OFF = 'off';

/** The id of the site that was last selected, which may be gone by now, and the way to select another. */
export function useSelectedSiteId(): [string | null, (id: string) => void] {
  return [useSyncExternalStore(site.subscribe, site.get), site.set];
}

/**
 * Whether shortcuts of a single letter or sign are on, on this computer. WCAG 2.1.4 asks for a way to switch them off,
 * for people who dictate or press keys by accident.
 */
export function hasSingleKeyShortcuts(): boolean {
  return singleKeys.get() !== OFF;
}

/** The same for a component, and the way to switch them. */
export function useSingleKeyShortcuts(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(singleKeys.subscribe, hasSingleKeyShortcuts), (on) => singleKeys.set(on ? null : OFF)];
}
