import type { Feature } from '../feature.ts';
import { finishLeaving } from './leave.ts';
import { accountRoutes } from './routes.ts';

/** What is kept of an account, for its owner: a copy, and its end. */
export const account: Feature = {
  routes: (context) => [accountRoutes(context)],
  jobs: ({ sessions }) => [finishLeaving(sessions)],
};
