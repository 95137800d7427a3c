import { randomBytes } from 'node:crypto';
import type { Caller } from '../auth/sessions.ts';
import { bus } from '../bus.ts';
import { notFound } from '../http/errors.ts';
import { type SiteDoc, SiteModel } from './model.ts';

const WIDGET_CODE_BYTES = 12;
const IDENTITY_SECRET_BYTES = 32;

/** A public id for an embed code. */
export function newWidgetCode(): string {
  return randomBytes(WIDGET_CODE_BYTES).toString('base64url');
}

/** Gives the site a new widget code; the old one is dead from then on. @throws AppError 404 when the site is being deleted */
export async function changeWidgetCode(site: SiteDoc, { user }: Caller): Promise<SiteDoc> {
  const changed = await write(site, { widgetCode: newWidgetCode() });
  if (!changed) throw notFound('site');
  await bus.tell('widgetCodeChanged', { site: changed, by: user._id });
  return changed;
}

/** The secret by which the site's own server proves who a visitor is; made when it is first asked for. */
export async function identitySecretOf(site: SiteDoc): Promise<string> {
  if (site.identitySecret !== undefined) return site.identitySecret;
  await SiteModel.updateOne(
    { _id: site._id, identitySecret: { $exists: false } },
    { $set: { identitySecret: newSecret() } },
  );
  const made = await SiteModel.findOne({ _id: site._id, deletedAt: null }).lean<SiteDoc>();
  if (made?.identitySecret === undefined) throw notFound('site');
  return made.identitySecret;
}

/** A new identity secret; tokens signed with the old one prove nothing any more. @throws AppError 404 */
export async function changeIdentitySecret(site: SiteDoc, { user }: Caller): Promise<string> {
  const identitySecret = newSecret();
  const changed = await write(site, { identitySecret });
  if (!changed) throw notFound('site');
  await bus.tell('identitySecretChanged', { site: changed, by: user._id });
  return identitySecret;
}

const newSecret = () => randomBytes(IDENTITY_SECRET_BYTES).toString('base64url');

function write(site: SiteDoc, fields: Partial<SiteDoc>): Promise<SiteDoc | null> {
  return SiteModel.findOneAndUpdate({ _id: site._id, deletedAt: null }, { $set: fields }, { returnDocument: 'after' })
    .lean<SiteDoc>()
    .exec();
}
