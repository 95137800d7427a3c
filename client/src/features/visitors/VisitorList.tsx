import { useQueryClient } from '@tanstack/react-query';
import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { can, type LiveVisitor, type Site } from 'server/contract';
import { facts, t } from '../../lib/i18n.ts';
import { paths } from '../../lib/paths.ts';
import { keys } from '../../lib/query.ts';
import { httpUrl } from '../../lib/validate.ts';
import { StartChatDialog } from '../../shared/StartChatDialog.tsx';
import { visitorName } from '../../shared/visitorName.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { ShowMore } from '../../ui/ShowMore.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { VirtualList, type VirtualRowProps } from '../../ui/VirtualList.tsx';
import { useVisitors } from './api.ts';
import { useVisitorsLive } from './live.ts';

const SKELETONS = [1, 2, 3, 4];
const ROW_HEIGHT_PX = 67;

/** Everybody who is on the site, the latest comer first. */
export function VisitorList({ site }: { site: Site }) {
  useVisitorsLive(site._id);
  const [chosen, setChosen] = useState<LiveVisitor | null>(null);
  const client = useQueryClient();
  const navigate = useNavigate();
  return (
    <>
      <Visitors site={site} onReach={setChosen} />
      <StartChatDialog
        visitorId={chosen?._id ?? null}
        title={t('Start a chat with {name}', { name: visitorName(chosen?.name) })}
        text={t('Your words show above the chat button, on the page that the visitor has open.')}
        onClose={() => setChosen(null)}
        onSent={() => void client.invalidateQueries({ queryKey: keys.visitors(site._id) })}
        onStarted={({ _id }) => void navigate(paths.chat(_id))}
      />
    </>
  );
}

function Visitors({ site, onReach }: { site: Site; onReach: (visitor: LiveVisitor) => void }) {
  const query = useVisitors(site._id);
  const { data: visitors, isPending, refetch } = query;
  if (isPending) return <VisitorSkeletons />;
  if (!visitors) return <ErrorState what={t('The visitors could not be loaded.')} onRetry={() => void refetch()} />;
  if (visitors.length === 0) {
    return (
      <EmptyState
        icon={Eye}
        title={t('Nobody is on the website right now')}
        text={t('Visitors appear here while they are on the website.')}
      />
    );
  }
  return (
    <>
      <VirtualList
        label={t('Visitors')}
        className="divide-y"
        rows={visitors}
        rowHeight={ROW_HEIGHT_PX}
        row={(visitor, place) => (
          <Row
            visitor={visitor}
            place={place}
            onReach={can(site, 'chats.reply') ? () => onReach(visitor) : undefined}
          />
        )}
      />
      <ShowMore of={query} />
    </>
  );
}

interface RowProps {
  visitor: LiveVisitor;
  place: VirtualRowProps;
  onReach: (() => void) | undefined;
}

function Row({ visitor, place, onReach }: RowProps) {
  const { name, email, location, page, since, openChatId, blocked, verified } = visitor;
  // The page comes from the visitor's browser: only a web address becomes a link.
  const href = page ? httpUrl(page.url) : undefined;
  return (
    <li {...place} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5 lg:gap-x-4">
      <Avatar name={visitorName(name)} size="lg" />
      <div className="min-w-0 flex-1 sm:basis-32">
        <p className="flex items-center gap-2">
          <span dir="auto" className="truncate text-left rtl:text-right font-medium">
            {visitorName(name)}
          </span>
          {verified && <Badge tone="success">{t('Verified')}</Badge>}
          {blocked && <Badge>{t('Blocked')}</Badge>}
        </p>
        <p className="truncate text-muted">{facts(email, location) || t('Unknown location')}</p>
      </div>
      <p className="min-w-0 flex-2 basis-40 max-sm:order-1 max-sm:w-full max-sm:basis-full max-sm:ps-14">
        {page && href ? (
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="block text-accent-strong hover:underline"
          >
            <span dir={page.title ? 'auto' : 'ltr'} className="block truncate rtl:text-right">
              {page.title || page.url}
            </span>
            {page.title && <span className="address block truncate text-xs text-muted">{page.url}</span>}
          </a>
        ) : (
          <span className="text-muted">
            {page?.title || (page?.url ? <bdi className="address">{page.url}</bdi> : t('Unknown page'))}
          </span>
        )}
      </p>
      <p className="text-end text-muted tabular-nums sm:w-14">
        <span className="sr-only">{t('Online since')} </span>
        <Time at={since} />
      </p>
      <div className="empty:hidden max-sm:order-2 max-sm:w-full max-sm:ps-14 sm:w-26 sm:text-end sm:empty:block">
        {openChatId !== null ? (
          <Button asChild variant="secondary" size="sm">
            <Link to={paths.chat(openChatId)}>{t('Open chat')}</Link>
          </Button>
        ) : (
          onReach &&
          !blocked && (
            <Button size="sm" onClick={onReach}>
              {t('Start chat')}
            </Button>
          )
        )}
      </div>
    </li>
  );
}

export function VisitorSkeletons() {
  return (
    <div role="status" className="flex flex-col divide-y">
      <span className="sr-only">{t('Loading visitors')}</span>
      {SKELETONS.map((row) => (
        <div key={row} className="flex h-16 items-center gap-4 px-4 sm:px-5">
          <Skeleton className="size-10 shrink-0 rounded-full!" />
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="ms-auto h-4 w-1/5" />
        </div>
      ))}
    </div>
  );
}
