import { Types } from 'mongoose';
import { type Caller, type ConfirmDeps, confirm, type SessionCaller } from '#features/auth';
import { sitesOf } from '#features/sites';
import { removeOne } from '#platform/database';
import { events } from '#platform/events';
import { conflict, notFound, sentence } from '#platform/http';
import { DAY_MS } from '#platform/time';
import { API_KEYS_MAX, type ApiKey, type ApiKeyBody } from './contract.ts';
import { type ApiKeyDoc, ApiKeyModel } from './model.ts';
import { newKey } from './token.ts';

export interface ApiKeyDeps extends ConfirmDeps {}

/**
 * Makes an API key for sites of the caller. It asks for the confirmation, because a key outlives the session in which it
 * is made. The keys are counted after the insert, so that two inserts at once cannot exceed the limit.
 * @returns the key itself, too, which nobody can read again
 * @throws AppError 422 for a wrong confirmation, 429, 404 for a site of others, 409 `API_KEY_LIMIT_REACHED`
 */
export async function createApiKey(
  deps: ApiKeyDeps,
  caller: SessionCaller,
  { name, scope, siteIds, expiresInDays, ...confirmation }: ApiKeyBody,
): Promise<{ made: ApiKeyDoc; key: string }> {
  const user = caller.user._id;
  const sites = siteIds ? await ownSites(caller, siteIds) : null;
  await confirm(deps, caller, confirmation);
  await deps.limits.take('newKeysPerAccount', user.toHexString());
  const { now } = deps;
  const _id = new Types.ObjectId();
  const { key, hash } = newKey(_id.toHexString());
  const expiresAt = expiresInDays === undefined ? null : new Date(now() + expiresInDays * DAY_MS);
  const stored = new ApiKeyModel({ _id, user, name, scope, sites, hash, createdAt: new Date(now()), expiresAt });
  await stored.save();
  if ((await ApiKeyModel.countDocuments({ user })) > API_KEYS_MAX) {
    await removeOne(ApiKeyModel, { _id });
    const text = sentence('You can have up to {max} API keys. Revoke one to add another.', { max: API_KEYS_MAX });
    throw conflict('API_KEY_LIMIT_REACHED', text);
  }
  await events.emit('apiKeyCreated', { userId: user.toHexString(), name, scope });
  return { made: stored.toObject(), key };
}

async function ownSites(caller: Caller, siteIds: string[]): Promise<Types.ObjectId[]> {
  const wanted = new Set(siteIds.map((id) => id.toLowerCase()));
  const allowedSites = (await sitesOf(caller)).filter(({ _id }) => wanted.has(_id.toHexString()));
  if (allowedSites.length < wanted.size) throw notFound('site');
  return allowedSites.map(({ _id }) => _id);
}

/** The API keys of a user, newest first: their number has a limit. */
export async function apiKeysOf(user: Types.ObjectId): Promise<ApiKey[]> {
  const keys = await ApiKeyModel.find({ user }).lean<ApiKeyDoc[]>();
  return keys.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime()).map(apiKeyView);
}

/** Revokes an API key: its next request is refused, on every node. @throws AppError 404 */
export async function revokeApiKey(user: Types.ObjectId, id: string): Promise<void> {
  if (!(await removeOne(ApiKeyModel, { _id: id, user }))) throw notFound('API key');
  await events.emit('apiKeyRevoked', { userId: user.toHexString() });
}

/** Removes the API keys of an account that is deleted. */
export async function removeApiKeysOf(user: Types.ObjectId): Promise<void> {
  await ApiKeyModel.deleteMany({ user });
}

/** An API key as its owner sees it. */
export function apiKeyView({ _id, name, scope, sites, createdAt, expiresAt, lastUsedAt }: ApiKeyDoc): ApiKey {
  return {
    _id: _id.toHexString(),
    name,
    scope,
    siteIds: sites?.map((site) => site.toHexString()) ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt?.toISOString() ?? null,
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
