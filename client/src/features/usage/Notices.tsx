import { BellOff, DatabaseBackup, HardDrive, MailX } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Notice, OutageNotice, StorageNotice } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes, formatMonthDay, formatTime } from '../../lib/format.ts';
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
    <ul aria-label="Warnings" className="shrink-0 border-b p-1">
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
    ? `The newest complete one is from ${shortTime(notice.lastAt)}.`
    : 'There is no complete one yet.';
  return { to: '/admin', title: 'The last backup has failed', text: `${notice.reason} ${newest}` };
}

function outageText({ about, since, reason }: OutageNotice): { to: string; title: string; text: string } {
  const [title, text] = {
    mail: ['Mail is not sent', 'Mails wait for up to a day'],
    push: ['Push messages are not sent', 'Phones and closed browsers get no notifications'],
  }[about] as [string, string];
  return { to: paths.selfCheck, title, text: `${text}: failing since ${shortTime(since)} (${reason}).` };
}

function storageText(notice: StorageNotice): { to: string; title: string; text: string } {
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
