export type { Cluster, NodeSockets } from './cluster.ts';
export { createLeases, type Lease, type Leases, singleNodeLeases, whileHeld } from './lease.ts';
export {
  areOtherVersions,
  endedNodes,
  listNodes,
  livingNodes,
  NodeRefused,
  nodeAddresses,
  type OwnNode,
  oldestDataVersion,
  type Registration,
  registerNode,
} from './nodes.ts';
export { recheck } from './recheck.ts';
export { clusterOn, watchCluster } from './start.ts';
