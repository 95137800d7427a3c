import type { Feature } from '../feature.ts';

/** Several nodes on one database. */
export const cluster: Feature = {
  inReserve: { installations: {}, leases: {}, nodes: {} },
};
