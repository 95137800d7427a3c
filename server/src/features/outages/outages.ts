import { Schema, type Types } from 'mongoose';
import { mailPlatformAdmins } from '#features/auth';
import { liveSite, type SiteDoc } from '#features/sites';
import { nodeAddresses, type OwnNode } from '#platform/cluster';
import { defineModel } from '#platform/database';
import { type Events, events } from '#platform/events';
import { AppError, type Limits } from '#platform/http';
import { type Mail, type MailDraft, type MailText, mailName, mailText } from '#platform/mail';
import { HOUR_MS, MINUTE_MS } from '#platform/time';
import type { OutageNotice, OutsideService } from './contract.ts';

/** An outage is announced after this time: queues bridge shorter ones. */
const TOLD_AFTER_MS = HOUR_MS;
/** Outages that one mail lists; further ones are in the next mail. */
const MAILED_MAX = 20;
/** Results of tries are stored at most this often, because every message causes some. */
const NOTED_EVERY_MS = MINUTE_MS;
/** Without a further try for a day, nobody knows whether the service still fails. */
const FORGOTTEN_AFTER_S = 86_400;

/** Something that fails, for one node if it is a service: another may reach it. Removed by the first success. */
interface OutageDoc {
  /** A service, of one of several nodes with its address, or the id of a webhook whose receiver has no valid certificate. */
  _id: OutsideService | `${OutsideService}@${string}` | WebhookOutageId;
  since: Date;
  lastAt: Date;
  reason: string;
  /** Set when the platform admins were told. */
  toldAt?: Date;
  /** Set when they were mailed. */
  mailedAt?: Date;
  /** Of one of several nodes. */
  service?: OutsideService;
  node?: string;
  /** Of a webhook. */
  site?: Types.ObjectId;
  host?: string;
}

type WebhookOutageId = `webhook:${string}`;
const webhookOutage = (webhookId: string): WebhookOutageId => `webhook:${webhookId}`;

const outageSchema = new Schema<OutageDoc>(
  {
    _id: { type: String, required: true },
    since: { type: Date, required: true },
    lastAt: { type: Date, required: true },
    reason: { type: String, required: true },
    toldAt: { type: Date },
    mailedAt: { type: Date },
    service: { type: String },
    node: { type: String },
    site: { type: Schema.Types.ObjectId },
    host: { type: String },
  },
  { versionKey: false },
);
outageSchema.index({ lastAt: 1 }, { expireAfterSeconds: FORGOTTEN_AFTER_S });
export const OutageModel = defineModel<OutageDoc>('Outage', outageSchema, 'outages');

/** The outages that platform admins were told of. */
export async function outageNotices(): Promise<OutageNotice[]> {
  const announced = (await OutageModel.find().lean<OutageDoc[]>()).filter(({ toldAt }) => toldAt !== undefined);
  const nodes = announced.some(({ node }) => node !== undefined) ? await nodeAddresses() : new Set();
  // A node that has ended can no longer report a success.
  const current = announced.filter(({ node }) => node === undefined || nodes.has(node));
  const notices = await Promise.all(current.map(noticeOf));
  return notices.flatMap((notice) => notice ?? []);
}

async function noticeOf({
  _id,
  since,
  reason,
  node,
  site: siteId,
  host,
  ...of
}: OutageDoc): Promise<OutageNotice | null> {
  const fact = { since: since.toISOString(), reason: node === undefined ? reason : `${node}: ${reason}` };
  const service = of.service ?? _id;
  if (service === 'mail' || service === 'push' || service === 'mailIn') return { about: service, ...fact };
  const site = await liveSite(String(siteId));
  return site && { about: 'certificate', siteName: site.name, host: host ?? '', ...fact };
}

interface OutageDeps {
  mail: Mail;
  limits: Limits;
  node: Pick<OwnNode, 'address'>;
  /** null: this node is the only one. */
  cluster: object | null;
  now: () => number;
}

/** Records outages of mail (both ways), push and webhooks, and announces them to platform admins. @returns a disposer */
export function watchOutages({ mail, limits, node, cluster, now }: OutageDeps): () => void {
  /** When the last try of each service was noted here, and how it ended. */
  const noted = new Map<OutsideService, { at: number; ok: boolean }>();

  /** @param isOfAll one node has this work at a time: where that one succeeds, it works for all */
  async function tried(service: OutsideService, failure: string | null, isOfAll = cluster === null): Promise<void> {
    const last = noted.get(service);
    const ok = failure === null;
    if (last?.ok === ok && now() - last.at < NOTED_EVERY_MS) return;
    noted.set(service, { at: now(), ok });
    const id = isOfAll ? service : (`${service}@${node.address}` as const);
    // That of the service alone is one of the time when there was one node, or of an earlier version.
    if (failure === null) return ended(id, service);
    await failed(id, { reason: failure, ...(!isOfAll && { service, node: node.address }) });
  }

  /** What fails on all nodes is one mail. */
  async function isAnnouncedElsewhere({ _id, service }: OutageDoc): Promise<boolean> {
    return Boolean(service && (await OutageModel.exists({ _id: { $ne: _id }, service, toldAt: { $ne: null } })));
  }

  async function certificateFailed({ site, webhookId, host, reason }: Events['webhookCertificateFailed']) {
    await failed(webhookOutage(webhookId), { reason, site: site._id, host });
  }

  async function ended(...ids: OutageDoc['_id'][]): Promise<void> {
    const outages = await OutageModel.find({ _id: { $in: ids } }).lean<OutageDoc[]>();
    if (outages.length === 0) return;
    await OutageModel.deleteMany({ _id: { $in: ids } });
    if (outages.some(({ toldAt }) => toldAt)) await events.emit('noticesChanged', { siteId: null });
  }

  async function failed(
    _id: OutageDoc['_id'],
    about: Pick<OutageDoc, 'reason' | 'service' | 'node' | 'site' | 'host'>,
  ): Promise<void> {
    const at = new Date(now());
    await OutageModel.updateOne(
      { _id },
      { $setOnInsert: { since: at }, $set: { lastAt: at, ...about } },
      { upsert: true },
    );
    const announced = await OutageModel.findOneAndUpdate(
      { _id, toldAt: null, since: { $lte: new Date(at.getTime() - TOLD_AFTER_MS) } },
      { $set: { toldAt: at } },
      { returnDocument: 'after' },
    ).lean<OutageDoc>();
    if (announced) {
      if (await isAnnouncedElsewhere(announced)) await OutageModel.updateOne({ _id }, { mailedAt: at });
      await events.emit('noticesChanged', { siteId: null });
    }
    await mailAdmins();
  }

  /** Mails what platform admins were not mailed yet, at most once an hour: strangers can cause many outages of webhooks. */
  async function mailAdmins(): Promise<void> {
    // A mail about failing mail would wait behind the others, and arrive when it is no longer true.
    const unmailed = {
      _id: { $ne: 'mail' as const },
      service: { $ne: 'mail' as const },
      toldAt: { $exists: true },
      mailedAt: null,
    };
    if (!mail.enabled || !(await OutageModel.exists(unmailed)) || !(await isTurn())) return;
    const outages = await OutageModel.find(unmailed).sort({ since: 1 }).limit(MAILED_MAX).lean<OutageDoc[]>();
    const words = await Promise.all(outages.map(wordsOf));
    await mailPlatformAdmins(mail, { content: contentOf(words), key: `outage:${now()}` });
    await OutageModel.updateMany({ _id: { $in: outages.map(({ _id }) => _id) } }, { mailedAt: new Date(now()) });
  }

  async function isTurn(): Promise<boolean> {
    try {
      await limits.take('outageMails', '');
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  return events.stopAll([
    events.on('mailTried', ({ failure }) => tried('mail', failure)),
    events.on('pushTried', ({ failure }) => tried('push', failure)),
    events.on('mailInTried', ({ door, failure }) => tried('mailIn', failure, cluster === null || door === 'imap')),
    events.on('webhookCertificateFailed', certificateFailed),
    events.on('webhookRecovered', ({ webhookId }) => ended(webhookOutage(webhookId))),
    events.on('webhooksChanged', async ({ webhookId, what, fields = [] }) => {
      if (what === 'removed' || fields.includes('url')) await ended(webhookOutage(webhookId));
    }),
  ]);
}

const FOOTER = mailText('You get this mail because you administer this server.');

/** The lines of the mail about one outage. */
type Words = Pick<MailDraft, 'subject' | 'action'> & { what: MailText[]; remedy: MailText };

async function wordsOf(outage: OutageDoc): Promise<Words> {
  if (outage.site) return certificateWords(outage, await liveSite(String(outage.site)));
  return (outage.service ?? outage._id) === 'mailIn' ? mailInWords(outage) : pushWords(outage);
}

function contentOf(words: Words[]): Omit<MailDraft, 'to'> {
  const [one] = words;
  const isOne = one && words.length === 1;
  const remedies = new Map(words.map(({ remedy }) => [remedy.text, remedy]));
  return {
    kind: 'outage',
    subject: isOne ? one.subject : mailText('Several outages around your Parley'),
    text: [...words.flatMap(({ what }) => what), ...remedies.values()],
    action: (isOne && one.action) || { label: mailText('Open the administration'), path: '/admin' },
    footer: FOOTER,
  };
}

function pushWords({ node, reason }: OutageDoc): Words {
  return {
    subject: mailText('Push messages of your Parley have been failing for an hour'),
    what: [
      mailText('Phones and browsers do not get notifications at present. The last failure: {reason}.', { reason }),
      ...(node ? [mailText('This is what the node {node} says; others may reach the push services.', { node })] : []),
    ],
    remedy: mailText('Check whether this server can reach the push services of browsers over https.'),
    action: { label: mailText('Open the self-check'), path: '/dashboard/self-check' },
  };
}

function mailInWords({ node, reason }: OutageDoc): Words {
  return {
    subject: mailText('Answers by mail have not reached your Parley for an hour'),
    what: [
      mailText('What people answer to mails does not appear in their chats. The last failure: {reason}.', { reason }),
      ...(node ? [mailText('This is what the node {node} says; others may take mails.', { node })] : []),
    ],
    remedy: mailText(
      'Check MAIL_IN_URL: whether the mailbox can be reached and its password still holds, or whether another program uses the port. Nothing is lost: mails wait in the mailbox or on the mail server.',
    ),
    action: { label: mailText('Open the self-check'), path: '/dashboard/self-check' },
  };
}

function certificateWords({ host = '', reason }: OutageDoc, found: SiteDoc | null): Words {
  const site = mailName(found?.name, mailText('a website'));
  return {
    // Without the host: strangers could choose one that reads like a sentence.
    subject: mailText('A receiver of webhooks has no valid certificate'),
    what: [
      mailText(
        'A webhook of {site} leads to {host}, whose certificate this server does not accept: {reason}. What happens on the website is not told there at present. It is tried again for a day.',
        { site, host, reason },
      ),
    ],
    remedy: mailText(
      'Ask whoever runs that host to renew the certificate. If your company signs its certificates itself, start this server with NODE_EXTRA_CA_CERTS.',
    ),
  };
}
