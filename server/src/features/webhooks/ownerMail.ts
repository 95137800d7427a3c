import { recipients } from '#features/auth';
import type { SiteDoc, WebhookDoc } from '#features/sites';
import { type Mail, mailName, mailPlural, mailText } from '#platform/mail';
import { WEBHOOK_TRIED_HOURS } from './contract.ts';

/** Mails the owner of a site that the server has switched a webhook off; the address is not quoted, it may be a secret. */
export async function mailSwitchedOff(mail: Mail, site: SiteDoc, { _id, failingSince }: WebhookDoc): Promise<void> {
  const [owner] = mail.enabled ? await recipients({ _id: site.owner }) : [];
  if (!owner) return;
  const siteId = site._id.toHexString();
  const values = { site: mailName(site.name, mailText('your website')) };
  await mail.send(
    {
      kind: 'webhook',
      to: owner.email,
      language: owner.language,
      subject: mailText('A webhook of {site} was switched off', values),
      text: [
        mailPlural(
          WEBHOOK_TRIED_HOURS,
          'For {count} hour, the receiver of a webhook of {site} has accepted no event, so it was switched off.',
          'For {count} hours, the receiver of a webhook of {site} has accepted no event, so it was switched off.',
          values,
        ),
        mailText(
          'The log of the webhook shows what the receiver answered. When it is mended, switch the webhook on again: what is still waiting is sent then.',
        ),
      ],
      action: { label: mailText('Open the webhooks'), path: `/dashboard/sites/${siteId}?tab=webhooks` },
      footer: mailText('You get this mail because you own this website.'),
      behalf: { site: siteId, account: site.owner.toHexString() },
      about: [siteId],
    },
    `webhook:${_id}:${failingSince?.getTime() ?? 0}`,
  );
}
