import type { Feature } from '#app/feature';
import { twoFactorRoutes } from './routes.ts';

/** The second step of signing in. */
export const twofactor: Feature = {
  routes: (context) => [twoFactorRoutes(context)],
};
