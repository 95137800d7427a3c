import type { Feature } from '../feature.ts';
import { AccountWordModel } from './model.ts';
import { adminRoutes } from './routes.ts';
import { followAccounts, indexAccounts } from './words.ts';

/** The platform's figures and accounts. */
export const admin: Feature = {
  models: [AccountWordModel],
  routes: (context) => [adminRoutes(context)],
  listeners: ({ now }) => [followAccounts(now)],
  jobs: () => [indexAccounts],
};
