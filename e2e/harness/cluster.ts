import { freePort, sharedSecrets } from '../../scripts/cluster/processes.js';
import { startProxy } from '../../scripts/cluster/proxy.js';
import { startRedis } from '../../scripts/cluster/redis.js';
import { startSharedStore } from '../../scripts/cluster/store.js';
import { type Parley, type ParleyOptions, startParley } from './parley.ts';

/** One node, with wires of its own to what all nodes share. */
export interface Node extends Parley {
  /** The wire to the store: stalled or cut, it faults this node alone. */
  store: { stall(stalled: boolean): void; cut(cut: boolean): void };
}

/** Several nodes of the built server on one store and one Redis, behind a round-robin proxy. */
export interface Cluster {
  /** The address of the proxy. */
  origin: string;
  nodes: Node[];
  redis: Awaited<ReturnType<typeof startRedis>>;
  store: Awaited<ReturnType<typeof startSharedStore>>;
  /** Whether the proxy sends new requests to this node; its open connections stay. */
  drop(node: number, dropped?: boolean): void;
  stop(): Promise<void>;
}

/**
 * Starts the cluster. Whatever has started is stopped again if a part fails.
 * @param env settings beside those that every test has
 * @param sticky whether a cookie of the proxy keeps a browser on one node
 * @param main the `main.js` of another release, to start the nodes with
 */
export async function startCluster(
  count: number,
  { env = {}, sticky = false, main }: Pick<ParleyOptions, 'env' | 'main'> & { sticky?: boolean } = {},
): Promise<Cluster> {
  const started: { stop(): Promise<unknown> }[] = [];
  async function stop(): Promise<void> {
    for (const { stop } of started.splice(0).reverse()) await stop();
  }
  try {
    const redis = await startRedis();
    started.push(redis);
    const store = await startSharedStore();
    started.push(store);
    const shared = { ...sharedSecrets(), REDIS_URL: redis.url, ...env };
    const nodes: Node[] = [];
    started.push({ stop: () => Promise.all(nodes.map((node) => node.stop())) });
    // One after the other, because the first one creates the indexes.
    for (let i = 0; i < count; i++) {
      const wire = await store.wire();
      const options = { port: await freePort(), env: { ...shared, MONGODB_URI: wire.uri } };
      const parley = await startParley({ ...options, ...(main !== undefined && { main }) });
      nodes.push({ ...parley, store: wire });
    }
    const ports = nodes.map(({ port }) => port);
    const proxy = await startProxy(ports, { sticky });
    started.push(proxy);
    return { origin: proxy.origin, nodes, redis, store, drop: proxy.drop, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
