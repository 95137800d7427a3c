import type { Feature } from '../feature.ts';
import { finishLeaving } from './leave.ts';
import { accountRoutes } from './routes.ts';

/** Exporting and deleting one's own account. */
export const account: Feature = {
  routes: (context) => [accountRoutes(context)],
  jobs: ({ sessions }) => [finishLeaving(sessions)],
};
