import { HardDrive } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { StorageNotice } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { formatBytes } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { ALARM_PERCENT, Meter } from '../../ui/Meter.tsx';

interface StorageNoticesProps {
  notices: readonly StorageNotice[];
  onFollow: () => void;
}

/** Storage warnings, each with a link to the screen where something can be done. */
export function StorageNotices({ notices, onFollow }: StorageNoticesProps) {
  if (notices.length === 0) return null;
  return (
    <ul aria-label="Storage" className="shrink-0 border-b p-1">
      {notices.map((notice) => {
        const { to, title, text } = textOf(notice);
        return (
          <li key={title}>
            <Link to={to} onClick={onFollow} className="flex gap-3 rounded-control p-2.5 hover:bg-text/5">
              <span
                className={cx(
                  'flex size-9 shrink-0 items-center justify-center rounded-full',
                  notice.percent >= ALARM_PERCENT ? 'bg-danger-soft text-danger' : 'bg-waiting-soft text-waiting',
                )}
              >
                <HardDrive size={18} aria-hidden />
              </span>
              <span className="flex min-w-0 flex-1 flex-col gap-1.5">
                <span className="font-medium wrap-anywhere">{title}</span>
                <Meter label={title} percent={notice.percent} text={`${notice.percent} %`} />
                <span className="text-xs text-muted">{text}</span>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

function textOf(notice: StorageNotice): { to: string; title: string; text: string } {
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
