import { Star } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import {
  type Attribute,
  type Chat,
  RATING_MAX,
  type Rating,
  type SeenPage,
  type VisitorDetails,
  type VisitorPresence,
} from 'server/contract';
import { cx } from '../../../lib/cx.ts';
import { formatTimeIn } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n.ts';
import { parseUserAgent } from '../../../lib/userAgent.ts';
import { httpUrl } from '../../../lib/validate.ts';
import { Button } from '../../../ui/Button.tsx';
import { Time, useClock } from '../../../ui/Time.tsx';
import { ClaimedBy } from '../ChatLabels.tsx';
import type { Thread } from '../live/thread.ts';

const LINK = 'text-accent-strong underline-offset-2 hover:underline';
/** The others are shown by a button. */
const PAGES_AT_FIRST = 3;

/** What Parley knows of the visitor and the chat. */
export function Facts({ chat, thread, userId }: { chat: Chat; thread: Thread | undefined; userId: string }) {
  const { location, userAgent } = chat.visitorInfo;
  const device = parseUserAgent(userAgent);
  const zone = zoneOf(location);
  return (
    <dl className="grid grid-cols-2 gap-4 border-b px-5 py-5">
      <Fact label={t('Page')} wide>
        <PageLink page={thread?.visitor?.page ?? null} />
      </Fact>
      {thread?.visitor && <PagesSeen key={chat._id} visitor={thread.visitor} />}
      <Fact label={t('Location')} wide>
        {location || t('Unknown location')}
      </Fact>
      {zone && (
        <Fact label={t('Local time')} wide>
          <LocalTime zone={zone} />
        </Fact>
      )}
      <Fact label={t('Browser')}>{device.browser}</Fact>
      <Fact label={t('System')}>{device.system}</Fact>
      <Fact label={t('Website')} wide>
        {chat.site.name || t('Unknown Site')}
      </Fact>
      <Fact label={chat.assignedAt ? t('Assigned to') : t('Claimed by')}>
        {chat.claimedBy ? (
          <ClaimedBy chat={chat} userId={userId} />
        ) : chat.status === 'closed' ? (
          t('Nobody')
        ) : (
          t('Nobody yet')
        )}
      </Fact>
      <Fact label={t('Notes')}>{thread ? noteCount(thread) : '–'}</Fact>
      <Fact label={t('Started')}>
        <Time at={chat.createdAt} />
      </Fact>
      {chat.closedAt && (
        <Fact label={t('Closed')}>
          <Time at={chat.closedAt} />
        </Fact>
      )}
      {chat.rating && (
        <Fact label={t('Rating')} wide>
          <Stars rating={chat.rating} />
        </Fact>
      )}
    </dl>
  );
}

function noteCount({ notes, olderNotes }: Thread): string {
  return olderNotes ? t('{count} or more', { count: notes.length }) : String(notes.length);
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the number of stars never changes
            key={index}
            size={16}
            aria-hidden
            className={cx(index < score ? 'fill-waiting text-waiting' : 'text-edge')}
          />
        ))}
        <span className="ps-1.5">{t('{score} of {max}', { score, max: RATING_MAX })}</span>
      </span>
      {comment && (
        <span dir="auto" className="block pt-1">
          {comment}
        </span>
      )}
    </>
  );
}

/** The page that the visitor has open. Its address is the visitor's input: only http and https become a link. */
function PageLink({ page }: { page: VisitorPresence['page'] }) {
  if (!page) return t('Unknown');
  const href = httpUrl(page.url);
  if (!href) return page.title || <bdi className="address">{page.url}</bdi>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={LINK}>
      <span dir={page.title ? 'auto' : 'ltr'} className="line-clamp-2 rtl:text-right">
        {page.title || page.url}
      </span>
      {page.title && <span className="address line-clamp-2 text-xs text-muted">{page.url}</span>}
    </a>
  );
}

/** The pages before the open one, which is shown by itself. */
function PagesSeen({ visitor: { page, pages } }: { visitor: VisitorDetails }) {
  const [all, setAll] = useState(false);
  const before = pages[0]?.url === page?.url ? pages.slice(1) : pages;
  if (before.length === 0) return null;
  return (
    <Fact label={t('Pages seen before')} wide>
      <ul aria-label={t('Pages seen before')} className="flex flex-col gap-1">
        {before.slice(0, all ? undefined : PAGES_AT_FIRST).map((seen) => (
          <li key={seen.at + seen.url} className="flex items-baseline justify-between gap-3">
            <SeenLink seen={seen} />
            <Time at={seen.at} className="shrink-0 text-xs text-muted" />
          </li>
        ))}
      </ul>
      {before.length > PAGES_AT_FIRST && (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => setAll(!all)}>
          {all ? t('Show fewer') : t('Show all')}
        </Button>
      )}
    </Fact>
  );
}

/** In one line: the title, else the path. */
function SeenLink({ seen: { url, title } }: { seen: SeenPage }) {
  const href = httpUrl(url);
  if (!href) return <span className="min-w-0 truncate">{title || <bdi className="address">{url}</bdi>}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      dir={title ? 'auto' : 'ltr'}
      className="min-w-0 truncate rtl:text-right text-accent-strong underline-offset-2 hover:underline"
    >
      {title || href.slice(new URL(href).origin.length)}
    </a>
  );
}

/** What the website told of its visitor through `Parley.identify`, apart from what Parley itself knows. */
export function WebsiteFacts({ visitor: { userId, verified, attributes } }: { visitor: VisitorDetails }) {
  const fromWebsite = attributes.filter(({ asked }) => !asked);
  if (userId === null && fromWebsite.length === 0) return null;
  return (
    <FactGroup title={t('From the website')}>
      {userId !== null && (
        <Fact label={verified ? t('ID') : t('ID, not verified')} wide>
          {userId}
        </Fact>
      )}
      <Attributes of={fromWebsite} />
    </FactGroup>
  );
}

/** What the visitor said in a form of the widget. */
export function FormFacts({ visitor: { consent, attributes } }: { visitor: VisitorDetails }) {
  const answers = attributes.filter(({ asked }) => asked);
  if (!consent && answers.length === 0) return null;
  return (
    <FactGroup title={t('From the form')}>
      <Attributes of={answers} />
      {consent && (
        <Fact label={t('Agreed to')} wide>
          <span dir="auto">{consent.text}</span> <Time at={consent.at} className="text-xs text-muted" />
        </Fact>
      )}
    </FactGroup>
  );
}

function FactGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-b px-5 py-5">
      <h3 className="pb-3 text-xs text-muted">{title}</h3>
      <dl className="grid grid-cols-2 gap-4">{children}</dl>
    </section>
  );
}

function Attributes({ of }: { of: Attribute[] }) {
  return of.map(({ name, value }) => (
    <Fact key={name} label={<bdi>{name}</bdi>}>
      <span dir="auto">{valueText(value)}</span>
    </Fact>
  ));
}

function valueText(value: Attribute['value']): string {
  return typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : String(value);
}

function Fact({ label, wide = false, children }: { label: ReactNode; wide?: boolean; children: ReactNode }) {
  return (
    <div className={cx('min-w-0', wide && 'col-span-2')}>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="pt-0.5 wrap-anywhere">{children}</dd>
    </div>
  );
}

/** The time zone of a location such as 'Europe/Berlin · de'; null where it has none. */
export function zoneOf(location: string | null): string | null {
  const [first = ''] = (location ?? '').split(' · ');
  try {
    return first && new Intl.DateTimeFormat('en', { timeZone: first }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
