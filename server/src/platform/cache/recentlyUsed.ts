import { LRUCache } from 'lru-cache';
import { connection } from '#platform/database';

/**
 * Makes a cache of what was read from the database, by id or by what only one document has. For modules: it is emptied when
 * the connection closes, so that the next server of a test's process knows only what is stored.
 * @param max how many values are kept; what was not used for longest is dropped first
 * @param ttl for how long each is kept, in milliseconds; undefined: as long as there is room
 */
export function recentlyUsed<Value extends NonNullable<unknown>>(max: number, ttl = 0): LRUCache<string, Value> {
  // As sizes, because it would take the room for `max` entries in advance.
  const cache = new LRUCache<string, Value>({ maxSize: max, sizeCalculation: () => 1, ttl });
  connection.on('close', () => cache.clear());
  return cache;
}

const IDS_MAX = 20_000;

/**
 * A cache of ids by another key. It may be stale, so the caller has to check that the document of the id still has the key.
 */
export const rememberedIds = () => recentlyUsed<string>(IDS_MAX);
