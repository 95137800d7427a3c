import { Schema, type Types } from 'mongoose';
import { createDocumentCache } from '#platform/cache';
import { defineModel } from '#platform/database';
import type { ApiKeyScope } from './contract.ts';

declare module '#platform/events' {
  interface Events {
    apiKeyCreated: { userId: string; name: string; scope: ApiKeyScope };
    apiKeyRevoked: { userId: string };
  }
}

/** An API key as stored. */
export interface ApiKeyDoc {
  _id: Types.ObjectId;
  user: Types.ObjectId;
  name: string;
  scope: ApiKeyScope;
  /** null: all sites of the user. A list never becomes null, so a key whose sites are all gone reaches none. */
  sites: Types.ObjectId[] | null;
  /** SHA-256 of the secret. */
  hash: string;
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
}

const apiKeySchema = new Schema<ApiKeyDoc>(
  {
    user: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    scope: { type: String, required: true },
    sites: { type: [Schema.Types.ObjectId], default: null },
    hash: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
  },
  { versionKey: false },
);
apiKeySchema.index({ user: 1 });
apiKeySchema.index({ sites: 1 });

/** API keys used recently. */
const apiKeyCache = createDocumentCache<ApiKeyDoc>(apiKeySchema, () => ApiKeyModel);
export const ApiKeyModel = defineModel<ApiKeyDoc>('ApiKey', apiKeySchema, 'apiKeys');

/** The API key with this hex id; null: it was revoked, or has expired. @param now milliseconds */
export async function livingKey(id: string, now: number): Promise<ApiKeyDoc | null> {
  const found = await apiKeyCache.find(id);
  return found && (!found.expiresAt || found.expiresAt.getTime() > now) ? found : null;
}

/** Takes a deleted site out of all API keys. */
export async function purgeApiKeys(site: Types.ObjectId): Promise<void> {
  await ApiKeyModel.updateMany({ sites: site }, { $pull: { sites: site } });
}
