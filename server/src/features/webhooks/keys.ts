import { Types } from 'mongoose';
import { livingKey } from '#features/apikeys';
import { type SiteDoc, SiteModel, sitesOfUser, type WebhookDoc } from '#features/sites';
import { events } from '#platform/events';

/**
 * Switches a webhook off whose API key was revoked or has expired. It is asked before each delivery, so that nothing is sent
 * on behalf of a key that has ended, however it did.
 * @param now milliseconds
 * @returns whether the key has ended
 */
export async function endedWithKey({ _id: site }: SiteDoc, webhook: WebhookDoc, now: number): Promise<boolean> {
  const { _id, key, enabled } = webhook;
  if (!enabled || !key || (await livingKey(key.toHexString(), now))) return false;
  const off = await SiteModel.findOneAndUpdate(
    { _id: site, deletedAt: null, webhooks: { $elemMatch: { _id, key, enabled: true } } },
    {
      $set: {
        'webhooks.$.enabled': false,
        'webhooks.$.switchedOffAt': new Date(now),
        'webhooks.$.switchedOffFor': 'api_key',
      },
    },
  ).lean<SiteDoc>();
  if (off) await events.emit('webhookSwitchedOff', { site: off, reason: 'api_key' });
  return true;
}

/** The site's webhooks; those whose API key has ended are switched off first. */
export async function webhooksOf(site: SiteDoc, now: number): Promise<WebhookDoc[]> {
  const { webhooks = [] } = site;
  const ended = await Promise.all(webhooks.map((webhook) => endedWithKey(site, webhook, now)));
  if (!ended.includes(true)) return webhooks;
  return (await SiteModel.findById(site._id).lean<SiteDoc>())?.webhooks ?? [];
}

/** Switches off what ended API keys have set up on the sites of this user. */
export async function endWebhooksOf(userId: string, now: number): Promise<void> {
  for (const site of await sitesOfUser(new Types.ObjectId(userId))) await webhooksOf(site, now);
}
