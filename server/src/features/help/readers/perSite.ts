import { LRUCache } from 'lru-cache';
import { connection } from '#platform/database';
import { events } from '#platform/events';

/** A cache with one value for each site, made when it is first asked for. */
export interface PerSite<Value> {
  get(siteId: string): Promise<Value>;
  /** Drops the value. */
  forget(siteId: string): void;
  clear(): void;
}

/** All caches, so that one listener can drop a site from each of them. */
const all: PerSite<unknown>[] = [];
/** The assumed size of a value that is still being made. */
const BYTES_USUAL = 1_000;

/**
 * Caches what is computed from each site's articles (LRU). A computation that began before a change is answered to those who asked
 * before it, and not cached.
 * @param bytesMax of the values of all sites together
 */
export function keptPerSite<Value>(
  bytesMax: number,
  make: (siteId: string) => Promise<{ value: Value; bytes: number }>,
): PerSite<Value> {
  const values = new LRUCache<string, Promise<Value>>({ maxSize: bytesMax, sizeCalculation: () => BYTES_USUAL });
  const kept: PerSite<Value> = {
    get(siteId) {
      const known = values.get(siteId);
      if (known) return known;
      const isStill = () => values.peek(siteId) === making;
      const making: Promise<Value> = make(siteId).then(
        ({ value, bytes }) => {
          if (isStill()) values.set(siteId, making, { size: Math.max(1, Math.min(bytes, bytesMax)) });
          return value;
        },
        (error) => {
          if (isStill()) values.delete(siteId);
          throw error;
        },
      );
      values.set(siteId, making);
      return making;
    },
    forget: (siteId) => void values.delete(siteId),
    clear: () => values.clear(),
  };
  connection.on('close', kept.clear);
  all.push(kept as PerSite<unknown>);
  return kept;
}

/** Invalidates these caches when articles of a site change, on every node. @returns a disposer */
export function forgetChanged(): () => void {
  const forget = (siteId: string) => {
    for (const kept of all) kept.forget(siteId);
  };
  return events.stopAll([
    events.everywhere('articlesChanged', ({ siteId }) => forget(siteId)),
    events.everywhere('siteUpdated', ({ site }) => forget(site._id.toHexString())),
    events.everywhere('siteDeleted', ({ site }) => forget(site._id.toHexString())),
    events.everywhere('eventsMissed', () => {
      for (const kept of all) kept.clear();
    }),
  ]);
}
