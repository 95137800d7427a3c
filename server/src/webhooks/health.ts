import { type SiteDoc, SiteModel } from '../sites/model.ts';
import type { WebhookDoc } from '../sites/webhooks.ts';
import { FAILING_MAX_MS, hurry } from './queue.ts';

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

/** Notes that a delivery succeeded. @param wasDown the others wait, although the receiver is there again */
export async function noteWell(
  { _id: site }: SiteDoc,
  { _id, failingSince }: WebhookDoc,
  { wasDown, now }: { wasDown: boolean; now: number },
): Promise<void> {
  if (failingSince)
    await SiteModel.updateOne({ _id: site, 'webhooks._id': _id }, { $unset: { 'webhooks.$.failingSince': 1 } });
  if (wasDown) await hurry(_id, now);
}
