import type { Router } from 'express';
import { confirmationSchema, type SignedInGuard } from '#features/auth';
import {
  choice,
  endpoints,
  ID_JSON_SCHEMA,
  type InputSchema,
  isId,
  JSON_SCHEMA,
  sentence,
  text,
  whole,
} from '#platform/http';
import { type ApiKeyDeps, apiKeysOf, apiKeyView, createApiKey, revokeApiKey } from './actions.ts';
import {
  API_KEY_DAYS_MAX,
  API_KEY_NAME_MAX_LENGTH,
  API_KEY_SCOPES,
  API_KEY_SITES_MAX,
  type ApiKeysApi,
} from './contract.ts';

const isIdList = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.length <= API_KEY_SITES_MAX && value.every(isId);
const apiKeySchema: InputSchema = {
  name: text({ label: 'Name', max: API_KEY_NAME_MAX_LENGTH }),
  scope: { ...choice('Scope', API_KEY_SCOPES), optional: false },
  siteIds: {
    optional: { options: { values: 'undefined' } },
    [JSON_SCHEMA]: { type: 'array', maxItems: API_KEY_SITES_MAX, items: ID_JSON_SCHEMA },
    errorMessage: sentence('siteIds must be a list of 1 to {max} ids', { max: API_KEY_SITES_MAX }),
    custom: { options: isIdList },
  },
  expiresInDays: whole('expiresInDays', { optional: true, min: 1, max: API_KEY_DAYS_MAX }),
  ...confirmationSchema,
};

/** The calls of API keys. No API key may make them. */
export function apiKeyRoutes({ signedIn: authenticate, ...deps }: ApiKeyDeps & { signedIn: SignedInGuard }): Router {
  const { router, on } = endpoints<ApiKeysApi>();

  on('GET /api-keys', { authenticate }, async ({ caller }) => ({
    data: { apiKeys: await apiKeysOf(caller.user._id) },
  }));

  on('POST /api-keys', { authenticate, body: apiKeySchema }, async ({ caller, body }) => {
    const { made, key } = await createApiKey(deps, caller, body);
    return { status: 201, data: { apiKey: apiKeyView(made), key } };
  });

  on('DELETE /api-keys/:id', { authenticate }, async ({ caller, params }) => {
    await revokeApiKey(caller.user._id, params.id);
    return { message: 'API key revoked', data: {} };
  });

  return router;
}
