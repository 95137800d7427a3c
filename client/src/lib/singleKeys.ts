import { useSyncExternalStore } from 'react';
import { localStore } from './storage.ts';

const STORAGE_KEY = 'parley_single_keys';
const OFF = 'off';

const listeners = new Set<() => void>();

/** Whether single letters and signs do something on this computer: who speaks to it, or trembles, may switch them off. */
export function hasSingleKeys(): boolean {
  return localStore.get(STORAGE_KEY) !== OFF;
}

/** The same, and the way to switch it. */
export function useSingleKeys(): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(subscribe, hasSingleKeys), choose];
}

function choose(on: boolean): void {
  if (on) localStore.remove(STORAGE_KEY);
  else localStore.set(STORAGE_KEY, OFF);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
