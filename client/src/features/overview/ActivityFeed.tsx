import {
  Activity as ActivityIcon,
  CircleCheck,
  Hand,
  type LucideIcon,
  MessageCircle,
  MessageCirclePlus,
} from 'lucide-react';
import { Link } from 'react-router-dom';
import { t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { Time } from '../../ui/Time.tsx';
import type { Activity } from './activity.ts';

const ICONS: Record<Activity['type'], LucideIcon> = {
  chat_started: MessageCirclePlus,
  message: MessageCircle,
  chat_claimed: Hand,
  chat_closed: CircleCheck,
};

export function ActivityFeed({ entries }: { entries: readonly Activity[] }) {
  return (
    <section aria-labelledby="recent-activity" className="min-w-0 rounded-card border bg-surface">
      <div className="border-b px-4 py-3 sm:px-5">
        <h2 id="recent-activity" className="text-base font-semibold">
          {t('Recent Activity')}
        </h2>
      </div>
      {entries.length === 0 ? (
        <EmptyState icon={ActivityIcon} title={t('No recent activity')} />
      ) : (
        <ol aria-label={t('Recent activity')} className="flex flex-col py-2">
          {entries.map((entry) => (
            <FeedRow key={entry.key} entry={entry} />
          ))}
        </ol>
      )}
    </section>
  );
}

function FeedRow({ entry: { type, chatId, message, time } }: { entry: Activity }) {
  const Icon = ICONS[type];
  return (
    <li>
      <Link
        to={paths.chat(chatId)}
        className="flex items-start gap-3 px-4 py-2 transition-colors hover:bg-text/4 focus-visible:-outline-offset-2 sm:px-5"
      >
        <Icon size={16} aria-hidden className="mt-0.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 wrap-anywhere">{message}</span>
        <Time at={time} className="shrink-0 text-xs/5 text-muted" />
      </Link>
    </li>
  );
}
