import { BellOff, DatabaseBackup, HardDrive, MailX } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Notice, OutageNotice, StorageNotice } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes, formatDayTime } from '../../lib/format.ts';
import { msg, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { ALARM_PERCENT, Meter } from '../../ui/Meter.tsx';

const ICONS = { site: HardDrive, disk: HardDrive, backup: DatabaseBackup, mail: MailX, push: BellOff };

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
          <li key={title}>
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

function textOf(notice: Notice): { to: string; title: string; text: string } {
  if ('percent' in notice) return storageText(notice);
  if (notice.about !== 'backup') return outageText(notice);
  const newest = notice.lastAt
    ? t('The newest complete one is from {time}.', { time: formatDayTime(notice.lastAt) })
    : t('There is no complete one yet.');
  return { to: '/admin', title: t('The last backup has failed'), text: `${t(notice.reason)} ${newest}` };
}

function outageText({ about, since, reason }: OutageNotice): { to: string; title: string; text: string } {
  const [title, text] = {
    mail: [t('Mail is not sent'), msg('Mails wait for up to a day: failing since {time} ({reason}).')],
    push: [
      t('Push messages are not sent'),
      msg('Phones and closed browsers get no notifications: failing since {time} ({reason}).'),
    ],
  }[about] as [string, string];
  return { to: paths.selfCheck, title, text: t(text, { time: formatDayTime(since), reason: t(reason) }) };
}

function storageText(notice: StorageNotice): { to: string; title: string; text: string } {
  const { percent } = notice;
  if (notice.about === 'disk') {
    const left = t('{size} left. When the disk is full, new messages are refused.', {
      size: formatBytes(notice.freeBytes),
    });
    return { to: '/admin', title: t("The server's disk is {percent} % full", { percent }), text: left };
  }
  const { siteName: site, kind } = notice;
  const to = paths.site(notice.siteId);
  const isText = kind === 'text';
  if (percent >= 100) {
    return isText
      ? {
          to,
          title: t('{site} cannot store new messages', { site }),
          text: t('New messages are refused until something is deleted.'),
        }
      : {
          to,
          title: t('{site} cannot store new files', { site }),
          text: t('New files are refused until something is deleted.'),
        };
  }
  return isText
    ? {
        to,
        title: t('{site}: messages {percent} % full', { site, percent }),
        text: t('Once it is full, new messages are refused.'),
      }
    : {
        to,
        title: t('{site}: files {percent} % full', { site, percent }),
        text: t('Once it is full, new files are refused.'),
      };
}
