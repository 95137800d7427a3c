import { createHmac } from 'node:crypto';
import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

/** These are counted by each node for itself: there are too many packets to ask Redis about each. */
const OF_EACH_NODE = new Set<string | undefined>(['packetsPerConnection', 'packetsPerAddress']);
/** If Redis does not answer within this time, a node counts by itself. */
const REDIS_MAX_MS = 500;

/** Characters of a hashed key: 96 bits. */
const KEY_LENGTH = 16;

/** The Redis that counts for all nodes of a cluster. */
export interface SharedCounts {
  redis: object;
  /** Begins the names of its keys. */
  prefix: string;
  /** Known to all nodes. It hashes what is counted, so that Redis holds no address of a person. */
  secret: string;
  /** Whether Redis answers. */
  isWell(): boolean;
}

/** Counts uses by key. */
export type Counter = Pick<RateLimiterMemory, 'consume' | 'reward' | 'get'>;

/** Creates the counter of one limit, which is `keyPrefix`. @param shared null: this process is the only one */
export function createCounter(options: IRateLimiterOptions, shared: SharedCounts | null): Counter {
  if (shared === null || OF_EACH_NODE.has(options.keyPrefix)) return new RateLimiterMemory(options);
  return createSharedCounter(shared, options);
}

/** Counts for all nodes. While Redis is away, each node counts for itself. */
function createSharedCounter({ redis, prefix, secret, isWell }: SharedCounts, options: IRateLimiterOptions): Counter {
  const local = new RateLimiterMemory(options);
  const keyPrefix = `${prefix}:${options.keyPrefix}`;
  const all = new RateLimiterRedis({ ...options, keyPrefix, storeClient: redis, useRedisPackage: true });

  async function inTime<Counted extends RateLimiterRes | null>(
    shared: Promise<Counted>,
    otherwise: () => Promise<Counted>,
  ): Promise<Counted> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), REDIS_MAX_MS);
    });
    const failed = (error: unknown) => (error instanceof RateLimiterRes ? Promise.reject(error) : undefined);
    const counted = await Promise.race([shared.catch(failed), late]).finally(() => clearTimeout(timer));
    return counted === undefined ? otherwise() : counted;
  }

  const hashed = (key: string | number) =>
    createHmac('sha256', secret).update(`parley limit ${key}`).digest('base64url').slice(0, KEY_LENGTH);
  return {
    consume: (key, uses) =>
      isWell() ? inTime(all.consume(hashed(key), uses), () => local.consume(key, uses)) : local.consume(key, uses),
    get: (key) => (isWell() ? inTime(all.get(hashed(key)), () => local.get(key)) : local.get(key)),
    reward: (key) => (isWell() ? inTime(all.reward(hashed(key)), () => local.reward(key)) : local.reward(key)),
  };
}
