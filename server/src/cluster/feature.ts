import type { Feature } from '../feature.ts';
import { LeaseModel } from './lease.ts';
import { NodeModel } from './nodes.ts';

/** Several nodes on one database. */
export const cluster: Feature = {
  models: [LeaseModel, NodeModel],
  inReserve: { leases: {}, nodes: {} },
};
