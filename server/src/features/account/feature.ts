import type { Feature } from '#app/feature';
import { finishDeletions } from './deleteAccount.ts';
import { accountRoutes } from './routes.ts';

/** Exporting and deleting one's own account. */
export const account: Feature = {
  routes: (context) => [accountRoutes(context)],
  jobs: ({ sessions }) => [finishDeletions(sessions)],
};
