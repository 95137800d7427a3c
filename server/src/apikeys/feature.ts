import type { Feature } from '../feature.ts';
import { ApiKeyModel, purgeApiKeys } from './model.ts';
import { apiKeyRoutes } from './routes.ts';

/** API keys: how programs make the REST calls of a person. */
export const apiKeys: Feature = {
  models: [ApiKeyModel],
  routes: (context) => [apiKeyRoutes(context)],
  purge: () => [purgeApiKeys],
};
