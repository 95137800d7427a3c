import { type Caller, type KeyCallers, userCache } from '#features/auth';
import { rememberedIds } from '#platform/cache';
import { events } from '#platform/events';
import { type AppError, type Limits, sentence, unauthorized } from '#platform/http';
import { MINUTE_MS } from '#platform/time';
import { type ApiKeyDoc, ApiKeyModel, livingKey } from './model.ts';
import { hashOf, isSecretOf, partsOf } from './token.ts';

/** The time of last use is written at most this often, so that requests do not each cost a write. */
const TOUCH_EVERY_MS = MINUTE_MS;

interface KeyCallersDeps {
  limits: Limits;
  now: () => number;
}

const idsByHash = rememberedIds();

/** Finds the people behind API keys. */
export function createKeyCallers({ limits, now }: KeyCallersDeps): KeyCallers {
  async function keyWith(id: string, secret: string): Promise<ApiKeyDoc | null> {
    const found = await livingKey(id, now());
    return found && isSecretOf(found.hash, secret) ? found : null;
  }

  async function find(key: string, address: string): Promise<ApiKeyDoc | null> {
    const parts = partsOf(key);
    if (!parts) return null;
    const { id, secret } = parts;
    const hash = hashOf(secret);
    const cached = idsByHash.get(hash) === id ? await keyWith(id, secret) : null;
    if (cached) return cached;
    return limits.lookUp('wrongKeysPerIp', address, async () => {
      const found = await keyWith(id, secret);
      if (found) idsByHash.set(hash, id);
      return found;
    });
  }

  async function touch({ _id, lastUsedAt }: ApiKeyDoc): Promise<void> {
    const long = new Date(now() - TOUCH_EVERY_MS);
    if (lastUsedAt && lastUsedAt > long) return;
    await ApiKeyModel.updateOne(
      { _id, $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: long } }] },
      { $set: { lastUsedAt: new Date(now()) } },
    );
  }

  return async (key, address): Promise<Caller> => {
    const found = await find(key, address);
    const user = found && (await userCache.find(found.user.toHexString()));
    if (!found || !user || user.deletedAt || user.suspendedAt) throw notValid();
    await limits.take('callsPerKey', found._id.toHexString());
    await limits.take('keyCallsPerAccount', user._id.toHexString());
    await touch(found).catch((error) => events.fail(error, 'last use of an API key'));
    const sites = found.sites && new Set(found.sites.map((site) => site.toHexString()));
    return { user, key: { _id: found._id, scope: found.scope, sites } };
  };
}

function notValid(): AppError {
  return unauthorized(
    sentence('This API key is not valid: it is mistyped, was revoked, or has expired.'),
    'API_KEY_INVALID',
  );
}
