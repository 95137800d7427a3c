import { BellOff, DatabaseBackup, HardDrive, MailX, ShieldX, Sparkles, Webhook } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { ModelNotice, Notice, OutageNotice, StorageNotice, WebhookNotice } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes, formatDayTime } from '../../lib/format.ts';
import { msg, sentences, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { ALARM_PERCENT, Meter } from '../../ui/Meter.tsx';

const ICONS = {
  site: HardDrive,
  disk: HardDrive,
  backup: DatabaseBackup,
  mail: MailX,
  mailIn: MailX,
  push: BellOff,
  certificate: ShieldX,
  webhook: Webhook,
  model: Sparkles,
};

interface NoticesProps {
  notices: readonly Notice[];
  onFollow: () => void;
}

/** Warnings, each with a link to the screen where something can be done. */
export function Notices({ notices, onFollow }: NoticesProps) {
  if (notices.length === 0) return null;
  return (
    <ul aria-label={t('Warnings')} className="shrink-0 border-b p-1">
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
  if (notice.about === 'model') return modelText(notice);
  if ('percent' in notice) return storageText(notice);
  if (notice.about === 'webhook') return webhookText(notice);
  if (notice.about !== 'backup') return outageText(notice);
  const newest = notice.lastAt
    ? t('The newest complete one is from {time}.', { time: formatDayTime(notice.lastAt) })
    : t('There is no complete one yet.');
  return { to: '/admin', title: t('The last backup has failed'), text: sentences(t(notice.reason), newest) };
}

function modelText({ percent }: ModelNotice): NoticeText {
  const title = t('{percent} % of the assistant’s tokens of today are used', { percent });
  const text = t('At 100 % it rests until midnight (UTC). AI_TOKENS_PER_DAY is the limit.');
  return { to: '/admin', title, text };
}

function webhookText({ siteId, siteName, since }: WebhookNotice): NoticeText {
  const title = t('{site}: a webhook was switched off', { site: siteName });
  const text = t('On {time}, because nothing was accepted for a day.', { time: formatDayTime(since) });
  return { to: `${paths.site(siteId)}?tab=webhooks`, title, text };
}

function outageText(notice: OutageNotice): NoticeText {
  const { about, since, reason } = notice;
  if (about === 'certificate') {
    const { host, siteName } = notice;
    const title = t('The certificate of {host} is not valid', { host });
    const values = { site: siteName, time: formatDayTime(since), reason };
    return { to: '/admin', title, text: t('A webhook of {site} gets nothing since {time} ({reason}).', values) };
  }
  const [title, text] = {
    mail: [t('Mail is not sent'), msg('Mails wait for up to a day: failing since {time} ({reason}).')],
    push: [
      t('Push messages are not sent'),
      msg('Phones and closed browsers get no notifications: failing since {time} ({reason}).'),
    ],
    mailIn: [
      t('Answers by mail do not arrive'),
      msg('They wait in the mailbox or on the mail server: failing since {time} ({reason}).'),
    ],
  }[about] as [string, string];
  return { to: paths.selfCheck, title, text: t(text, { time: formatDayTime(since), reason: t(reason) }) };
}

function storageText(notice: StorageNotice): NoticeText {
  const { percent } = notice;
  if (notice.about === 'disk') {
    const left = t('{size} left. When the disk is full, new messages are refused.', {
      size: formatBytes(notice.freeBytes),
    });
    return { to: '/admin', title: t("The server's disk is {percent} % full", { percent }), text: left };
  }
  const { siteName: site, kind } = notice;
  const [title, text] = (percent >= 100 ? FULL : FILLING)[kind];
  return { to: paths.site(notice.siteId), title: t(title, { site, percent }), text: t(text) };
}

const FULL = {
  text: [msg('{site} cannot store new messages'), msg('New messages are refused until something is deleted.')],
  files: [msg('{site} cannot store new files'), msg('New files are refused until something is deleted.')],
} as const;

const FILLING = {
  text: [msg('{site}: messages {percent} % full'), msg('Once it is full, new messages are refused.')],
  files: [msg('{site}: files {percent} % full'), msg('Once it is full, new files are refused.')],
} as const;
