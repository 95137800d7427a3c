import { Star } from 'lucide-react';
import { type Chat, RATING_MAX, type Rating, type VisitorPresence } from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { deviceOf } from '../../../lib/device.ts';
import { formatTimeIn } from '../../../lib/format.ts';
import { webAddress } from '../../../lib/webAddress.ts';
import { Time, useClock } from '../../../ui/Time.tsx';
import { Claimed } from '../list/Claimed.tsx';
import type { Thread } from '../model/thread.ts';
import { Fact } from './Fact.tsx';
import { PagesSeen } from './PagesSeen.tsx';
import { zoneOf } from './place.ts';

/** What is known of the visitor and the chat. */
export function Facts({ chat, thread, userId }: { chat: Chat; thread: Thread | undefined; userId: string }) {
  const { location, userAgent } = chat.visitorInfo;
  const device = deviceOf(userAgent);
  const zone = zoneOf(location);
  return (
    <dl className="grid grid-cols-2 gap-4 border-b px-5 py-5">
      <Fact label="Page" wide>
        <PageLink page={thread?.visitor?.page ?? null} />
      </Fact>
      {thread?.visitor && <PagesSeen key={chat._id} visitor={thread.visitor} />}
      <Fact label="Location" wide>
        {location || 'Unknown location'}
      </Fact>
      {zone && (
        <Fact label="Local time" wide>
          <LocalTime zone={zone} />
        </Fact>
      )}
      <Fact label="Browser">{device.browser}</Fact>
      <Fact label="System">{device.system}</Fact>
      <Fact label="Website" wide>
        {chat.site.name || 'Unknown Site'}
      </Fact>
      <Fact label={chat.assignedAt ? 'Assigned to' : 'Claimed by'}>
        {chat.claimedBy ? <Claimed chat={chat} userId={userId} /> : chat.status === 'closed' ? 'Nobody' : 'Nobody yet'}
      </Fact>
      <Fact label="Notes">{thread ? countOf(thread) : '–'}</Fact>
      <Fact label="Started">
        <Time at={chat.createdAt} />
      </Fact>
      {chat.closedAt && (
        <Fact label="Closed">
          <Time at={chat.closedAt} />
        </Fact>
      )}
      {chat.rating && (
        <Fact label="Rating" wide>
          <Stars rating={chat.rating} />
        </Fact>
      )}
    </dl>
  );
}

function countOf({ notes, olderNotes }: Thread): string {
  return olderNotes ? `${notes.length} or more` : String(notes.length);
}

function LocalTime({ zone }: { zone: string }) {
  return formatTimeIn(zone, useClock());
}

function Stars({ rating: { score, comment } }: { rating: Rating }) {
  return (
    <>
      <span className="flex items-center gap-0.5">
        {Array.from({ length: RATING_MAX }, (_, index) => (
          <Star
            // biome-ignore lint/suspicious/noArrayIndexKey: the stars have no other name
            key={index}
            size={16}
            aria-hidden
            className={cx(index < score ? 'fill-waiting text-waiting' : 'text-edge')}
          />
        ))}
        <span className="pl-1.5">
          {score} of {RATING_MAX}
        </span>
      </span>
      {comment && (
        <span dir="auto" className="block pt-1">
          {comment}
        </span>
      )}
    </>
  );
}

/** The page comes from the visitor's browser: only a web address becomes a link. */
function PageLink({ page }: { page: VisitorPresence['page'] }) {
  if (!page) return 'Unknown';
  const href = webAddress(page.url);
  if (!href) return page.title || page.url;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent-strong underline-offset-2 hover:underline"
    >
      <span dir="auto" className="line-clamp-2">
        {page.title || page.url}
      </span>
      {page.title && <span className="line-clamp-2 text-xs text-muted">{page.url}</span>}
    </a>
  );
}
