import type { Feature } from '../feature.ts';
import { startAssigning } from './assign.ts';

/** Assignment of chats to members. */
export const assign: Feature = {
  start: async ({ presence, viewers, now, lease }) =>
    (await startAssigning({ presence, now, viewersOf: viewers.of, lease: lease('assignment') })).stop,
};
