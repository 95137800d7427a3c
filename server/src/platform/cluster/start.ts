import type { Logger } from 'pino';
import type { Metrics } from '#platform/http';
import type { Cluster } from './cluster.ts';
import { installationName } from './installation.ts';
import type { Leases } from './lease.ts';

/** Opens this node's part in the cluster. The client of Redis is loaded only here: a single process does without it. */
export async function clusterOn(url: string, secret: string, log: Logger): Promise<Cluster> {
  const { openCluster } = await import('./cluster.ts');
  return openCluster({
    url,
    secret,
    name: await installationName(),
    failed: (err) => log.error({ err }, 'Redis cannot be reached: the other nodes get events with a delay'),
  });
}

/** Shows in the metrics how this node takes part in the cluster. */
export function watchCluster({ watch }: Metrics, { state }: Cluster, { held }: Leases): void {
  watch('parley_redis_up', '1 while this node hears the others through Redis, else 0.', () => Number(state().isWell));
  watch('parley_cluster_nodes', 'Nodes that this one hears, besides itself.', () => state().others.length);
  watch(
    'parley_event_lag_seconds',
    'How long the last event of another node was on its way.',
    () => state().lagMs / 1000,
  );
  watch('parley_events_unsent', 'Entries of events that wait for Redis.', () => state().unsent);
  watch(
    'parley_events_refused',
    'Entries in Redis that no node has written, or none that runs.',
    () => state().refused,
  );
  watch('parley_leases_held', 'Leases of this node for work that only one node does.', () => held().length);
}
