import type { Feature } from '../feature.ts';
import { AccountWordModel, followAccounts, indexAccounts } from './accountSearch.ts';
import { adminRoutes } from './routes.ts';
/** The platform admins' figures, accounts and audit log. */
export const admin: Feature = {
  models: [AccountWordModel],
  routes: (context) => [adminRoutes(context)],
  listeners: ({ now }) => [followAccounts(now)],
  jobs: () => [indexAccounts],
};
