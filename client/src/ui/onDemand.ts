import { useEffect, useSyncExternalStore } from 'react';

/** A component that is loaded on first use. */
interface OnDemand<Part> {
  /** The part, or null until it is loaded; loads it when `needed`. */
  usePart: (needed: boolean) => Part | null;
  /** Preloads it, for example on hover. */
  load: () => void;
}

const IDLE_AFTER_MS = 1_000;

const loads = new Set<() => void>();

/** Loads a component lazily: dialogs and menus need much code that no first screen needs. */
export function onDemand<Part>(fetchPart: () => Promise<Part>): OnDemand<Part> {
  let part: Part | null = null;
  let pending = false;
  const listeners = new Set<() => void>();
  const load = () => {
    if (pending || part !== null) return;
    pending = true;
    fetchPart()
      .then((got) => {
        part = got;
        for (const listener of listeners) listener();
      })
      // The next use tries again.
      .catch((error: unknown) => console.warn('A part of the page could not be loaded', error))
      .finally(() => {
        pending = false;
      });
  };
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  loads.add(load);
  return {
    load,
    usePart: (needed) => {
      useEffect(() => {
        if (needed) load();
      }, [needed]);
      return useSyncExternalStore(subscribe, () => part);
    },
  };
}

/** Preloads all such parts when the page is idle, so that they open even if the server is down by then. */
export function useWarmUp(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of loads) load();
    }, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
