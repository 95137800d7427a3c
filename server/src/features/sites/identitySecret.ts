import { randomBytes } from 'node:crypto';
import type { Types } from 'mongoose';
import type { Caller } from '#features/auth';
import { connection } from '#platform/database';
import { events } from '#platform/events';
import { notFound } from '#platform/http';
import { refusesEarlier, sealedIdentitySecrets } from '#platform/migrations';
import type { SecretBox } from '#platform/secrets';
import { type SiteDoc, SiteModel } from './model.ts';

const BYTES = 32;

const newSecret = () => randomBytes(BYTES).toString('base64url');

/** The secret as it is stored; null: the site has none yet, or it was sealed with another `DATA_KEY`. */
export function openIdentitySecret(box: SecretBox, { _id, identitySecret, sealedIdentity }: SiteDoc): string | null {
  return identitySecret ?? (sealedIdentity ? box.open(sealedIdentity, _id.toHexString()) : null);
}

/** The secret with which the site's own server signs identity tokens; created at the first request. */
export async function identitySecretOf(box: SecretBox, site: SiteDoc): Promise<string> {
  const known = openIdentitySecret(box, site);
  if (known !== null) return known;
  const { sealedIdentity = { $exists: false } } = site;
  await SiteModel.updateOne(
    { _id: site._id, identitySecret: { $exists: false }, sealedIdentity },
    await storing(box, site._id, newSecret()),
  );
  const made = await SiteModel.findOne({ _id: site._id, deletedAt: null }).lean<SiteDoc>();
  const secret = made && openIdentitySecret(box, made);
  if (!secret) throw notFound('site');
  return secret;
}

/** Creates a new identity secret; tokens signed with the old one are invalid. @throws AppError 404 */
export async function changeIdentitySecret(box: SecretBox, { _id }: SiteDoc, { user }: Caller): Promise<string> {
  const secret = newSecret();
  const update = await storing(box, _id, secret);
  const site = await SiteModel.findOneAndUpdate({ _id, deletedAt: null }, update, {
    returnDocument: 'after',
  }).lean<SiteDoc>();
  if (!site) throw notFound('site');
  await events.emit('identitySecretChanged', { site, by: user._id });
  return secret;
}

/** The update that stores a secret: as plain text while a node may run that knows no other form. */
async function storing(box: SecretBox, _id: Types.ObjectId, secret: string) {
  const { db } = connection;
  const isSealed = db && (await refusesEarlier(db, sealedIdentitySecrets.version));
  return isSealed
    ? { $set: { sealedIdentity: box.seal(secret, _id.toHexString()) }, $unset: { identitySecret: 1 as const } }
    : { $set: { identitySecret: secret }, $unset: { sealedIdentity: 1 as const } };
}
