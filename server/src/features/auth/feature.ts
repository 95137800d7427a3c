import type { Feature } from '#app/feature';
import { authSocket, guardStaff } from './gateway.ts';
import { sweepPictures } from './pictures.ts';
import { resumePresence } from './resumePresence.ts';
import { authRoutes } from './routes.ts';

/** Accounts, sessions and sign-in. */
export const auth: Feature = {
  inReserve: { sessions: {}, resets: {} },
  routes: (context) => [authRoutes(context)],
  sockets: {
    broadcast: ({ staff }, context) => [guardStaff(staff, context)],
    staff: authSocket,
  },
  start: resumePresence,
  jobs: () => [sweepPictures],
};
