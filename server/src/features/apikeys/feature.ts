import type { Feature } from '#app/feature';
import { purgeApiKeys } from './model.ts';
import { apiKeyRoutes } from './routes.ts';

/** API keys: how programs make the REST calls of a person. */
export const apiKeys: Feature = {
  routes: (context) => [apiKeyRoutes(context)],
  purge: () => [purgeApiKeys],
};
