import { type SiteDoc, SiteModel, type WebhookDoc } from '#features/sites';
import { DAY_MS } from '#platform/time';

/** How long nothing may be delivered to a webhook before it is switched off. */
const FAILING_MAX_MS = DAY_MS;

/** Notes that deliveries fail. @returns whether the webhook was switched off, because none has succeeded for a day */
export async function noteFailing({ _id: site }: SiteDoc, webhook: WebhookDoc, now: number): Promise<boolean> {
  const { _id, failingSince } = webhook;
  if (!failingSince) {
    await SiteModel.updateOne(
      { _id: site, webhooks: { $elemMatch: { _id, failingSince: null } } },
      { $set: { 'webhooks.$.failingSince': new Date(now) } },
    );
    return false;
  }
  if (now - failingSince.getTime() < FAILING_MAX_MS) return false;
  const { modifiedCount } = await SiteModel.updateOne(
    { _id: site, deletedAt: null, webhooks: { $elemMatch: { _id, enabled: true } } },
    { $set: { 'webhooks.$.enabled': false, 'webhooks.$.switchedOffAt': new Date(now) } },
  );
  return modifiedCount === 1;
}

/** Notes that a delivery succeeded. */
export async function noteWell({ _id: site }: SiteDoc, { _id, failingSince }: WebhookDoc): Promise<void> {
  if (failingSince)
    await SiteModel.updateOne({ _id: site, 'webhooks._id': _id }, { $unset: { 'webhooks.$.failingSince': 1 } });
}
