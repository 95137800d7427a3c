import type { Feature } from '#app/feature';
import { indexAccounts, trackAccounts } from './accountSearch.ts';
import { adminRoutes } from './routes.ts';
/** The platform admins' figures, accounts and audit log. */
export const admin: Feature = {
  routes: (context) => [adminRoutes(context)],
  listeners: ({ now }) => [trackAccounts(now)],
  jobs: () => [indexAccounts],
};
