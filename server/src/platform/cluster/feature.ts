import type { Feature } from '#app/feature';

/** Several nodes on one database. */
export const cluster: Feature = {
  inReserve: { installations: {}, leases: {}, nodes: {} },
};
