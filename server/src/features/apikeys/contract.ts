import type { Confirmation } from '#features/auth/contract';

/** What an API key may do, each with everything before it. */
export const API_KEY_SCOPES = ['read', 'reply', 'manage'] as const;
export type ApiKeyScope = (typeof API_KEY_SCOPES)[number];

/** Whether an API key with this scope may do what needs that one. */
export function includesScope(scope: ApiKeyScope, needed: ApiKeyScope): boolean {
  return API_KEY_SCOPES.indexOf(scope) >= API_KEY_SCOPES.indexOf(needed);
}

/** With what every API key begins, so that scanners for leaked secrets recognise it. */
export const API_KEY_PREFIX = 'parley_';
export const API_KEY_NAME_MAX_LENGTH = 60;
/** The most API keys that one person may have. */
export const API_KEYS_MAX = 20;
/** The most sites that an API key may be limited to. */
export const API_KEY_SITES_MAX = 100;
/** The longest time until an API key expires, in days. */
export const API_KEY_DAYS_MAX = 3650;

/** An API key as its owner sees it: never the key itself. */
export interface ApiKey {
  _id: string;
  name: string;
  scope: ApiKeyScope;
  /** The sites that it is limited to; null: all sites of its owner, also later ones. */
  siteIds: string[] | null;
  /** ISO 8601 UTC, as are the other times */
  createdAt: string;
  /** null: never */
  expiresAt: string | null;
  /** To about a minute; null: not used yet. */
  lastUsedAt: string | null;
}

/** The form of a new API key; without `siteIds` for all sites, without `expiresInDays` for ever. */
export interface ApiKeyBody extends Confirmation {
  name: string;
  scope: ApiKeyScope;
  siteIds?: string[];
  expiresInDays?: number;
}

/** A new API key, and the one time that the key itself is shown. */
export interface NewApiKey {
  apiKey: ApiKey;
  key: string;
}

/** The REST calls of API keys. */
export interface ApiKeysApi {
  'GET /api-keys': { data: { apiKeys: ApiKey[] } };
  'POST /api-keys': { body: ApiKeyBody; data: NewApiKey };
  'DELETE /api-keys/:id': { data: Record<string, never> };
}
