import { LRUCache } from 'lru-cache';
import { connection } from '#platform/database';
import { events } from '#platform/events';

/** What is kept in memory of each site, made when it is first asked for. */
export interface PerSite<Value> {
  get(siteId: string): Promise<Value>;
  /** Makes it anew when it is next asked for. */
  forget(siteId: string): void;
  clear(): void;
}

/** All that is kept, so that one listener forgets all of a site. */
const all: PerSite<unknown>[] = [];
/** Counted while its size is not known yet. */
const BYTES_USUAL = 1_000;

/**
 * Keeps what is made of each site's articles. A value whose making began before a change is given to those who asked before the
 * change, and not kept.
 * @param bytesMax of the values of all sites together; what was not used for longest goes first
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

/** Forgets what was made of a site's articles when they change, on every node. @returns a disposer */
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
