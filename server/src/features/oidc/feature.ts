import type { Feature } from '#app/feature';
import { oidcRoutes } from './routes.ts';

/** Signing in with an OpenID Connect provider. */
export const oidc: Feature = {
  inReserve: { oidconce: {} },
  routes: (context) => [oidcRoutes(context)],
};
