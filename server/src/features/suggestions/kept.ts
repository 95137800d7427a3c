import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { RankedSources } from '#features/knowledge';
import { connection } from '#platform/database';
import { events } from '#platform/events';
import { MINUTE_MS, SECOND_MS } from '#platform/time';

/** An index that nobody asks for is forgotten after this time. */
const IDLE_MS = 30 * MINUTE_MS;
/** An index is made anew for whoever asks, but for no more than this part of the time: one that takes a second, every 100 seconds. */
const SHARE = 0.01;
/** Who asks waits so long for the first index; and for a newer one if that is made at once. */
const WAIT_MS = 2 * SECOND_MS;
const QUICK_MS = 100;
/** Counted of an index while its size is not known. */
const BYTES_USUAL = 1_000;

/** The index of a site, as far as there is one. */
interface Kept {
  ranked: RankedSources | null;
  /** How long it took, and when it may be made anew. */
  tookMs: number;
  freshUntil: number;
  making: Promise<void> | null;
}

/**
 * Keeps an index for each site that asks for it, the same on each node: made from what is stored, again and again while it is in
 * use. So no event may be missed, and what was deleted is gone with the next one.
 * @param bytesMax of all sites together; what was not used for longest goes first
 * @returns the index of a site; null: there is none yet
 */
export function keptIndexes<Site extends { _id: { toHexString(): string } }>(
  name: string,
  bytesMax: number,
  build: (site: Site) => Promise<RankedSources>,
): (site: Site) => Promise<RankedSources | null> {
  const all = new LRUCache<string, Kept>({
    maxSize: bytesMax,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    sizeCalculation: ({ ranked }) => Math.min(bytesMax, ranked?.bytes ?? BYTES_USUAL),
  });
  connection.on('close', () => all.clear());
  /** One is made after the other: together they would only take longer, and more memory. */
  let last: Promise<void> = Promise.resolve();

  function make(site: Site, before: Kept | undefined): Kept {
    const id = site._id.toHexString();
    const kept: Kept = before ?? { ranked: null, tookMs: 0, freshUntil: 0, making: null };
    const making = last.then(async () => {
      const began = performance.now();
      const ranked = await build(site);
      const tookMs = performance.now() - began;
      const made = { ranked, tookMs, freshUntil: performance.now() + tookMs / SHARE, making: null };
      // Another database, or no place: nobody asks for this one any more.
      if (all.peek(id) === kept) all.set(id, made);
    });
    last = making.catch((error) => {
      if (all.peek(id) === kept) all.delete(id);
      events.fail(error, `index of ${name}`);
    });
    kept.making = last;
    all.set(id, kept);
    return kept;
  }

  return async (site) => {
    const id = site._id.toHexString();
    const known = all.get(id);
    if (known?.ranked && performance.now() < known.freshUntil) return known.ranked;
    const { making } = known?.making ? known : make(site, known);
    if (making && (!known?.ranked || known.tookMs < QUICK_MS)) {
      const waiting = new AbortController();
      await Promise.race([making, sleep(WAIT_MS, undefined, { signal: waiting.signal, ref: false }).catch(() => {})]);
      waiting.abort();
    }
    return all.peek(id)?.ranked ?? null;
  };
}
