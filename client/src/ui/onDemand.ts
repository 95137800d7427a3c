import { useEffect, useSyncExternalStore } from 'react';

/** A part of the page whose code is fetched only when somebody reaches for it. */
interface OnDemand<Part> {
  /** The part, once it is there; fetched as soon as it is `needed`. */
  usePart: (needed: boolean) => Part | null;
  /** Fetches it ahead, as when the pointer comes near. */
  load: () => void;
}

const IDLE_AFTER_MS = 1_000;

const loads = new Set<() => void>();

/** Windows and menus bring much code that no first screen needs; this keeps it out of the way until then. */
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
      // Not to be had right now: the next one who reaches for it tries again.
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

/** Fetches all such parts when the page has come to rest, so that they are there even if the server then is not. */
export function useWarmUp(): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      for (const load of loads) load();
    }, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
}
