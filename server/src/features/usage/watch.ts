import type { Logger } from 'pino';
import type { ModelNotice } from '#features/assistant/contract';
import { type Caller, mailPlatformAdmins, recipients, type UserDoc } from '#features/auth';
import type { Backups } from '#features/backups';
import { outageNotices } from '#features/outages';
import { liveSite, memberOf, type SiteDoc, sitesOfUser, switchedOffAt } from '#features/sites';
import { can } from '#features/team/contract';
import type { WebhookNotice } from '#features/webhooks/contract';
import { events, rooms, type StaffNamespace } from '#platform/events';
import { formatSize } from '#platform/http';
import { type Mail, type MailDraft, mailName, mailText } from '#platform/mail';
import {
  DISK_LEVELS,
  type Notice,
  SITE_LEVELS,
  type StorageNotice,
  type StorageUse,
  type UsageKind,
} from './contract.ts';
import type { Usage } from './counter.ts';
import { type UsageDoc, UsageModel } from './model.ts';

/** The interval of the disk check; a disk hardly fills up faster. */
const LOOK_EVERY_MS = 30_000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;
const KINDS = ['text', 'files'] as const;

/** The disk with the data, in bytes. */
export interface Disk {
  used: number;
  total: number;
}

interface WatchDeps {
  usage: Usage;
  mail: Mail;
  log: Logger;
  /** null: the database does not report it. */
  disk: () => Promise<Disk | null>;
  backups: Backups | null;
  /** null: there is none. */
  model: { notice(): Promise<ModelNotice | null> } | null;
  now: () => number;
}

/** Notifies people before a storage is full. */
export interface StorageWatch {
  /** The notices that the caller can do something about. */
  noticesFor(caller: Caller): Promise<Notice[]>;
  /** Checks the disk; also called every half minute. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** The percentage, rounded down, so that a level is never reported before it is reached. */
const percentOf = (part: number, whole: number) => Math.floor((part / whole) * 100);

function percentUsed({ bytes, max }: StorageUse): number {
  return max === null ? 0 : Math.min(100, percentOf(bytes, max));
}

/** The highest level reached; 0: none. */
const levelOf = (levels: readonly number[], percent: number) => levels.findLast((level) => percent >= level) ?? 0;

/** Watches the storage of sites and the disk. */
export function createStorageWatch({ usage, mail, log, disk, backups, model, now }: WatchDeps): StorageWatch {
  let diskLevel = 0;

  async function look(): Promise<void> {
    const found = await disk();
    if (!found) return;
    const percent = percentOf(found.used, found.total);
    const level = levelOf(DISK_LEVELS, percent);
    if (level === diskLevel) return;
    const isWorse = level > diskLevel;
    diskLevel = level;
    await events.emit('noticesChanged', { siteId: null });
    if (!isWorse) return;
    log.warn({ percent, freeBytes: found.total - found.used }, 'the disk is almost full');
    const day = new Date(now()).toISOString().slice(0, DAY_LENGTH);
    await mailPlatformAdmins(mail, { content: diskMail(percent, found), key: `disk:${level}:${day}` });
  }

  /**
   * Notifies once per level, by one process only (compare-and-set on `told`). A level that was left can be reported again.
   */
  async function siteCounted(site: UsageDoc): Promise<void> {
    const siteId = site._id.toHexString();
    for (const kind of KINDS) {
      const percent = percentUsed(usage.of(siteId)[kind]);
      const level = levelOf(SITE_LEVELS, percent);
      const claimed = site.told?.[kind] ?? 0;
      if (level === claimed) continue;
      const before = claimed === 0 ? { [`told.${kind}`]: { $in: [0, null] } } : { [`told.${kind}`]: claimed };
      const { modifiedCount } = await UsageModel.updateOne({ _id: site._id, ...before }, { [`told.${kind}`]: level });
      if (modifiedCount === 0) continue;
      await events.emit('noticesChanged', { siteId });
      if (level > claimed) await mailAdmins(siteId, kind, percent);
    }
  }

  async function mailAdmins(siteId: string, kind: UsageKind, percent: number): Promise<void> {
    const site = mail.enabled && (await liveSite(siteId));
    if (!site) return;
    const admins = site.team.map(({ user }) => user).filter((user) => mayMend(site, user));
    for (const { email, language } of await recipients({ _id: { $in: admins } }))
      await mail.send({ ...siteMail(site, kind, percent), to: email, language });
  }

  async function platformNotices(): Promise<Notice[]> {
    const failed = await backups?.notice();
    const spent = await model?.notice();
    const found = await disk();
    const percent = found ? percentOf(found.used, found.total) : 0;
    return [
      ...(failed ? [failed] : []),
      ...(spent ? [spent] : []),
      ...(await outageNotices()),
      ...(found && percent >= DISK_LEVELS[0]
        ? [{ about: 'disk' as const, percent, freeBytes: found.total - found.used }]
        : []),
    ];
  }

  const stopListening = events.on('storageCounted', siteCounted);
  let running = look().catch((error) => events.fail(error, 'the disk'));
  const timer = setInterval(() => {
    running = running.then(look).catch((error) => events.fail(error, 'the disk'));
  }, LOOK_EVERY_MS).unref();

  return {
    look,
    async noticesFor({ user }) {
      const sites = (await sitesOfUser(user._id)).filter((site) => mayMend(site, user._id));
      const notices: StorageNotice[] = sites.flatMap(({ _id, name }) => {
        const siteId = _id.toHexString();
        const used = usage.of(siteId);
        return KINDS.map((kind) => ({
          about: 'site' as const,
          siteId,
          siteName: name,
          kind,
          percent: percentUsed(used[kind]),
        }));
      });
      const running = notices.filter(({ percent }) => percent >= SITE_LEVELS[0]);
      const ofSites = [...running, ...sites.flatMap(webhookNotices)];
      return user.role === 'parley_admin' ? [...(await platformNotices()), ...ofSites] : ofSites;
    },
    async stop() {
      clearInterval(timer);
      stopListening();
      await running;
    },
  };
}

function webhookNotices(site: SiteDoc): WebhookNotice[] {
  const since = switchedOffAt(site)?.toISOString();
  return since ? [{ about: 'webhook', siteId: site._id.toHexString(), siteName: site.name, since }] : [];
}

function mayMend(site: SiteDoc, user: UserDoc['_id']): boolean {
  const member = memberOf(site, user);
  return member !== null && can(member, 'sites.edit');
}

const FOOTER = mailText(
  'You get this mail because you can free up storage. You get at most one for each warning level.',
);

const NAMES = { text: mailText('messages'), files: mailText('files') };

function siteMail(site: SiteDoc, kind: UsageKind, percent: number): Omit<MailDraft, 'to'> {
  const values = { site: mailName(site.name, mailText('your website')), what: NAMES[kind], percent };
  const isFull = percent >= 100;
  return {
    kind: 'storage',
    subject: isFull
      ? mailText('{site} cannot store new {what}', values)
      : mailText('The storage of {site} is {percent} % full', values),
    text: [
      isFull
        ? mailText(
            'The {what} of {site} have reached the storage limit of this server. New ones are refused; nothing is deleted.',
            values,
          )
        : mailText(
            'The {what} of {site} use {percent} % of the storage of a website. Once it is full, new ones are refused.',
            values,
          ),
      mailText(
        'Delete chats that you no longer need, set up automatic deletion in the settings, or ask the administrator of this server for more storage.',
      ),
    ],
    action: { label: mailText('Open the settings'), path: `/dashboard/sites/${site._id.toHexString()}` },
    footer: FOOTER,
    behalf: { site: site._id.toHexString(), account: site.owner.toHexString() },
    about: [site._id.toHexString()],
  };
}

function diskMail(percent: number, { used, total }: Disk): Omit<MailDraft, 'to'> {
  return {
    kind: 'storage',
    subject: mailText('The disk of your Parley is {percent} % full', { percent }),
    text: [
      mailText('{free} of {total} are free. When the disk is full, new messages are refused.', {
        free: formatSize(total - used),
        total: formatSize(total),
      }),
      mailText('Add disk space, or delete chats, files or websites that are no longer needed.'),
    ],
    action: { label: mailText('Open the administration'), path: '/admin' },
    footer: FOOTER,
  };
}

/** Makes dashboards reload their storage notices. @returns a disposer */
export function broadcastStorage(namespace: StaffNamespace): () => void {
  return events.everywhere('noticesChanged', ({ siteId }) => {
    const recipients = siteId === null ? namespace.local : namespace.local.to(rooms.site(siteId));
    recipients.emit('notices_changed');
  });
}
