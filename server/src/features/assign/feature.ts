import type { Feature } from '#app/feature';
import { startAssigning } from './assign.ts';

/** Assignment of chats to members. */
export const assign: Feature = {
  start: async ({ presence, viewers, now, lease, cluster }) => {
    const deps = { presence, now, viewersOf: viewers.of, lease: lease('assignment') };
    return (await startAssigning(deps, { isAlone: cluster === null })).stop;
  },
};
