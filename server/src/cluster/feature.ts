import type { Feature } from '../feature.ts';
import { LeaseModel } from './lease.ts';

/** Several nodes on one database. */
export const cluster: Feature = {
  models: [LeaseModel],
  inReserve: { leases: {} },
};
