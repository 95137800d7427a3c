import { BellOff, DatabaseBackup, HardDrive, MailX, ShieldX, Webhook } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Notice, OutageNotice, StorageNotice, WebhookNotice } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes, formatMonthDay, formatTime } from '../../lib/format.ts';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { ALARM_PERCENT, Meter } from '../../ui/Meter.tsx';

const ICONS = {
  site: HardDrive,
  disk: HardDrive,
  backup: DatabaseBackup,
  mail: MailX,
  push: BellOff,
  certificate: ShieldX,
  webhook: Webhook,
};

interface NoticesProps {
  notices: readonly Notice[];
  onFollow: () => void;
}

/** Warnings, each with a link to the screen where something can be done. */
export function Notices({ notices, onFollow }: NoticesProps) {
  if (notices.length === 0) return null;
  return (
    <ul aria-label="Warnings" className="shrink-0 border-b p-1">
      {notices.map((notice) => {
        const { to, title, text } = textOf(notice);
        const percent = 'percent' in notice ? notice.percent : null;
        const Icon = ICONS[notice.about];
        return (
          <li key={JSON.stringify(notice)}>
            <Link to={to} onClick={onFollow} className="flex gap-3 rounded-control p-2.5 hover:bg-text/5">
              <span
                className={cx(
                  'flex size-9 shrink-0 items-center justify-center rounded-full',
                  percent === null || percent >= ALARM_PERCENT
                    ? 'bg-danger-soft text-danger'
                    : 'bg-waiting-soft text-waiting',
                )}
              >
                <Icon size={18} aria-hidden />
              </span>
              <span className="flex min-w-0 flex-1 flex-col gap-1.5">
                <span className="font-medium wrap-anywhere">{title}</span>
                {percent !== null && <Meter label={title} percent={percent} text={`${percent} %`} />}
                <span className="text-xs text-muted">{text}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

interface NoticeText {
  /** Where it can be mended. */
  to: string;
  title: string;
  text: string;
}

function textOf(notice: Notice): NoticeText {
  if ('percent' in notice) return storageText(notice);
  if (notice.about === 'webhook') return webhookText(notice);
  if (notice.about !== 'backup') return outageText(notice);
  const newest = notice.lastAt
    ? `The newest complete one is from ${shortTime(notice.lastAt)}.`
    : 'There is no complete one yet.';
  return { to: '/admin', title: 'The last backup has failed', text: `${notice.reason} ${newest}` };
}

function webhookText({ siteId, siteName, since }: WebhookNotice): NoticeText {
  const title = t('{site}: a webhook was switched off', { site: siteName });
  const text = t('On {time}, because nothing was accepted for a day.', { time: shortTime(since) });
  return { to: `${paths.site(siteId)}?tab=webhooks`, title, text };
}

function outageText(notice: OutageNotice): NoticeText {
  const { about, since, reason } = notice;
  if (about === 'certificate') {
    const { host, siteName } = notice;
    const title = t('The certificate of {host} is not valid', { host });
    const values = { site: siteName, time: shortTime(since), reason };
    return { to: '/admin', title, text: t('A webhook of {site} gets nothing since {time} ({reason}).', values) };
  }
  const [title, text] = {
    mail: ['Mail is not sent', 'Mails wait for up to a day'],
    push: ['Push messages are not sent', 'Phones and closed browsers get no notifications'],
  }[about] as [string, string];
  return { to: paths.selfCheck, title, text: `${text}: failing since ${shortTime(since)} (${reason}).` };
}

function storageText(notice: StorageNotice): NoticeText {
  const { percent } = notice;
  if (notice.about === 'disk') {
    const left = `${formatBytes(notice.freeBytes)} left. When the disk is full, new messages are refused.`;
    return { to: '/admin', title: `The server's disk is ${percent} % full`, text: left };
  }
  const what = notice.kind === 'text' ? 'messages' : 'files';
  const to = paths.site(notice.siteId);
  if (percent >= 100) {
    const text = `New ${what} are refused until something is deleted.`;
    return { to, title: `${notice.siteName} cannot store new ${what}`, text };
  }
  const text = `Once it is full, new ${what} are refused.`;
  return { to, title: `${notice.siteName}: ${what} ${percent} % full`, text };
}

const shortTime = (at: string) => `${formatMonthDay(at)}, ${formatTime(at)}`;
