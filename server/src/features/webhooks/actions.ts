import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Types, type UpdateQuery } from 'mongoose';
import type { Caller } from '#features/auth';
import { kindOf, type SiteDoc, SiteModel, type WebhookDoc } from '#features/sites';
import { deleteInBatches } from '#platform/database';
import { events } from '#platform/events';
import { changedFields, conflict, notFound, sentence } from '#platform/http';
import type { SecretBox } from '#platform/secrets';
import { HOUR_MS } from '#platform/time';
import { WEBHOOK_LOG_MAX, WEBHOOK_TRIED_HOURS, WEBHOOKS_MAX, type WebhookBody, type WebhookPatch } from './contract.ts';
import type { Deliverer } from './deliver.ts';
import { type DeliveryDoc, DeliveryModel, droppedId } from './model.ts';
import { decryptTarget, encryptTarget, newSecret, type Target } from './signature.ts';
import { targetOf } from './targets.ts';

declare module '#platform/events' {
  interface Events {
    /** An admin has changed the site's webhooks. */
    webhooksChanged: {
      site: SiteDoc;
      webhookId: string;
      by: Types.ObjectId;
      what: 'added' | 'changed' | 'removed';
      fields?: string[];
    };
    /** A new secret signs what a webhook gets. */
    webhookSecretChanged: { site: SiteDoc; by: Types.ObjectId };
  }
}

/** Shorter than the dashboard's timeout of its calls. */
const TEST_MAX_MS = 8_000;

/** A webhook and its site. */
export interface WebhookAccess {
  site: SiteDoc;
  webhook: WebhookDoc;
}

export interface WebhookDeps {
  secretBox: SecretBox;
  deliverer: Deliverer;
  now: () => number;
}

/** The site's webhook with this id. @throws AppError 404 */
export function webhookOf(site: SiteDoc, id: string): WebhookAccess {
  const webhook = site.webhooks?.find(({ _id }) => _id.toHexString() === id.toLowerCase());
  if (!webhook) throw notFound('webhook');
  return { site, webhook };
}

/** Adds a webhook. @throws AppError 422 what its target does not take, 409 `WEBHOOK_LIMIT_REACHED` */
export async function addWebhook(
  { secretBox, deliverer }: WebhookDeps,
  site: SiteDoc,
  { user, key }: Caller,
  { kind = 'custom', events: wanted, ...given }: WebhookBody,
): Promise<{ webhook: WebhookDoc; secret: string | null }> {
  const _id = new Types.ObjectId();
  const target = targetOf(kind, given, null, deliverer);
  const at = new Date();
  const sealed = encryptTarget(secretBox, { _id }, target);
  const webhook: WebhookDoc = {
    _id,
    kind,
    sealed,
    events: wanted,
    enabled: true,
    since: at,
    createdAt: at,
    ...(key && { key: key._id }),
  };
  const added = await SiteModel.findOneAndUpdate(
    { _id: site._id, deletedAt: null, [`webhooks.${WEBHOOKS_MAX - 1}`]: { $exists: false } },
    { $push: { webhooks: webhook } },
    { returnDocument: 'after' },
  ).lean<SiteDoc>();
  if (!added)
    throw conflict(
      'WEBHOOK_LIMIT_REACHED',
      sentence('A website can have up to {max} webhooks. Delete one to add another.', { max: WEBHOOKS_MAX }),
    );
  await events.emit('webhooksChanged', { site: added, webhookId: String(_id), by: user._id, what: 'added' });
  return { webhook, secret: target.secret ?? null };
}

/**
 * Changes what the patch names. Switched on again, a webhook also gets what was waiting for it. What an API key changes does
 * not outlive the key, until a person enters an address or switches it on again.
 * @throws AppError 404, 422
 */
export async function changeWebhook(
  { secretBox, deliverer }: WebhookDeps,
  { site, webhook }: WebhookAccess,
  { user, key }: Caller,
  { events: wanted, enabled, ...given }: WebhookPatch,
): Promise<WebhookDoc> {
  const before = decryptTarget(secretBox, webhook);
  const isOn = enabled === true && !webhook.enabled;
  const target = Object.keys(given).length > 0 ? targetOf(kindOf(webhook), given, before, deliverer) : before;
  const isElsewhere = target !== null && !isDeepStrictEqual(target, before);
  const fields = {
    ...(isElsewhere && { sealed: encryptTarget(secretBox, webhook, target) }),
    ...(wanted && { events: wanted }),
    ...(enabled !== undefined && { enabled }),
    ...(isOn && { since: new Date() }),
  };
  // A person who enters an address or switches it on answers for it from then on.
  const outdated: (keyof WebhookDoc)[] = ['failingSince', 'switchedOffAt', 'switchedOffFor', 'key'];
  const changed = await write(
    site,
    webhook,
    { ...fields, ...(key && { key: key._id }) },
    isOn || isElsewhere ? outdated.filter((field) => field !== 'key' || !key) : [],
  );
  if (isOn || isElsewhere) await deliverer.retry(webhook._id.toHexString());
  if (webhook.switchedOffAt) await events.emit('noticesChanged', { siteId: site._id.toHexString() });
  const named = changedFields(webhook, fields).map((name) => (name === 'sealed' ? 'url' : name));
  const changes = named.filter((name) => name !== 'since');
  if (changes.length > 0) {
    const what = { webhookId: String(webhook._id), what: 'changed' as const, fields: changes };
    await events.emit('webhooksChanged', { site: changed.site, by: user._id, ...what });
  }
  return changed.webhook;
}

/** Removes a webhook with its log. @throws AppError 404 */
export async function removeWebhook(
  { site, webhook: { _id, switchedOffAt } }: WebhookAccess,
  { user }: Caller,
): Promise<void> {
  const { modifiedCount } = await SiteModel.updateOne(
    { _id: site._id, 'webhooks._id': _id },
    { $pull: { webhooks: { _id } } },
  );
  if (modifiedCount === 0) throw notFound('webhook');
  await deleteInBatches(DeliveryModel, { webhook: _id });
  if (switchedOffAt) await events.emit('noticesChanged', { siteId: site._id.toHexString() });
  await events.emit('webhooksChanged', { site, webhookId: String(_id), by: user._id, what: 'removed' });
}

/** The secret that signs. @throws AppError 409 when it was encrypted with another `DATA_KEY`, or there is none */
export function secretOf({ secretBox }: WebhookDeps, { webhook }: WebhookAccess): string {
  return signedTarget(secretBox, webhook).secret;
}

/** A new secret; for a day the old one signs as well, so that the receiver can be changed in its own time. */
export async function changeSecret(
  { secretBox, now }: WebhookDeps,
  { site, webhook }: WebhookAccess,
  { user }: Caller,
): Promise<string> {
  const { url, secret: before } = signedTarget(secretBox, webhook);
  const secret = newSecret();
  const former = { secret: before, until: now() + WEBHOOK_TRIED_HOURS * HOUR_MS };
  const changed = await write(site, webhook, { sealed: encryptTarget(secretBox, webhook, { url, secret, former }) });
  await events.emit('webhookSecretChanged', { site: changed.site, by: user._id });
  return secret;
}

function signedTarget(box: SecretBox, webhook: WebhookDoc): Target & { secret: string } {
  if (kindOf(webhook) !== 'custom')
    throw conflict('WEBHOOK_HAS_NO_SECRET', sentence('Only what a program of your own gets is signed with a secret.'));
  const target = decryptTarget(box, webhook);
  if (target?.secret) return { ...target, secret: target.secret };
  throw conflict(
    'WEBHOOK_UNREADABLE',
    sentence('This webhook was encrypted with another DATA_KEY. Enter its address again.'),
  );
}

async function write(
  site: SiteDoc,
  { _id }: WebhookDoc,
  fields: Partial<WebhookDoc>,
  removed: (keyof WebhookDoc)[] = [],
): Promise<WebhookAccess> {
  const part = (entries: [string, unknown][]) =>
    Object.fromEntries(entries.map(([name, value]) => [`webhooks.$.${name}`, value]));
  const update: UpdateQuery<SiteDoc> = {
    ...(Object.keys(fields).length > 0 && { $set: part(Object.entries(fields)) }),
    ...(removed.length > 0 && { $unset: part(removed.map((name) => [name, 1])) }),
  };
  if (Object.keys(update).length === 0) return webhookOf(site, _id.toHexString());
  const changed = await SiteModel.findOneAndUpdate({ _id: site._id, deletedAt: null, 'webhooks._id': _id }, update, {
    returnDocument: 'after',
  }).lean<SiteDoc>();
  if (!changed) throw notFound('webhook');
  return webhookOf(changed, _id.toHexString());
}

/** Sends a test and waits for what comes of it; it is in the log, and tried once. */
export async function sendTest(
  { deliverer, now }: WebhookDeps,
  { site, webhook }: WebhookAccess,
): Promise<DeliveryDoc> {
  const at = new Date(now());
  const _id = `msg_${randomUUID().replaceAll('-', '')}`;
  const subject = { _id, event: 'webhook.test' as const, at };
  const { failure, answerStatus, answer } = (await deliverer.attempt(site, webhook, subject, TEST_MAX_MS)) ?? {};
  const delivery: DeliveryDoc = {
    ...subject,
    webhook: webhook._id,
    site: site._id,
    lane: _id,
    order: 0,
    createdAt: at,
    attempts: 1,
    status: failure ? 'failed' : 'sent',
    triedAt: at,
    doneAt: at,
    ...(failure && { failure }),
    ...(answerStatus && { answerStatus }),
    ...(answer && { answer }),
  };
  await DeliveryModel.create(delivery);
  return delivery;
}

/** The newest deliveries of a webhook. */
export function deliveriesOf({ webhook }: WebhookAccess): Promise<DeliveryDoc[]> {
  return DeliveryModel.find({ webhook: webhook._id })
    .sort({ createdAt: -1 })
    .limit(WEBHOOK_LOG_MAX)
    .lean<DeliveryDoc[]>()
    .exec();
}

/** Puts a delivery into the outbox again, with its id. @throws AppError 404, 409 while it is waiting or the webhook is off */
export async function resend(
  { deliverer, now }: WebhookDeps,
  { webhook }: WebhookAccess,
  id: string,
): Promise<DeliveryDoc> {
  const found = await DeliveryModel.findOne({ _id: id, webhook: webhook._id }).lean<DeliveryDoc>();
  if (!found || found.event === 'webhook.test' || id === droppedId(webhook._id)) throw notFound('delivery');
  if (!webhook.enabled) throw conflict('WEBHOOK_IS_OFF', sentence('Switch the webhook on first.'));
  const at = new Date(now());
  const again = await DeliveryModel.findOneAndUpdate(
    { _id: id, webhook: webhook._id, doneAt: { $exists: true } },
    { $set: { status: 'waiting', dueAt: at, createdAt: at, attempts: 0 }, $unset: { doneAt: 1, takes: 1 } },
    { returnDocument: 'after' },
  ).lean<DeliveryDoc>();
  if (!again) throw conflict('DELIVERY_IS_WAITING', sentence('This event is waiting to be sent already.'));
  await deliverer.retry(webhook._id.toHexString());
  return again;
}
