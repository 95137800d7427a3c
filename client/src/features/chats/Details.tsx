import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Chat, VisitorPresence } from 'server/contract';
import { cx } from '../../lib/cx.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Time } from '../../ui/Time.tsx';
import { deviceOf } from '../../lib/device.ts';
import { webAddress } from './links.ts';

interface DetailsProps {
  chat: Chat;
  visitor: VisitorPresence | null;
  /** Only asked below the width that always shows it. */
  open: boolean;
  onHide: () => void;
}

/** Who the visitor is: a pane of its own on a wide screen, else a sheet over the thread. */
export function Details({ chat, visitor, open, onHide }: DetailsProps) {
  const { name, email, location, userAgent } = chat.visitorInfo;
  const device = deviceOf(userAgent);
  return (
    <aside
      aria-label="Visitor details"
      className={cx(
        'w-76 shrink-0 overflow-y-auto border-l bg-surface',
        'max-xl:absolute max-xl:inset-y-0 max-xl:right-0 max-xl:z-20 max-xl:max-w-full max-xl:animate-fade max-xl:shadow-float max-sm:w-full',
        !open && 'max-xl:hidden',
      )}
    >
      <div className="flex h-16 items-center justify-between pr-3 pl-5 xl:hidden">
        <h2 className="font-semibold">Details</h2>
        <IconButton label="Hide details" onClick={onHide}>
          <X size={18} aria-hidden />
        </IconButton>
      </div>
      <div className="flex flex-col items-center gap-3 border-b px-5 pt-2 pb-6 text-center xl:pt-8">
        <Avatar name={name || 'Anonymous'} size="lg" />
        <p dir="auto" className="max-w-full font-semibold wrap-anywhere">
          {name || 'Anonymous'}
        </p>
      </div>
      <dl className="flex flex-col gap-4 px-5 py-5">
        <Fact label="Email">
          {email ? (
            <a
              href={`mailto:${encodeURIComponent(email)}`}
              className="text-accent-strong underline-offset-2 hover:underline"
            >
              {email}
            </a>
          ) : (
            'No email'
          )}
        </Fact>
        <Fact label="Location">{location || 'Unknown location'}</Fact>
        <Fact label="Page">
          <PageLink page={visitor?.page ?? null} />
        </Fact>
        <Fact label="Browser">{device.browser}</Fact>
        <Fact label="System">{device.system}</Fact>
        <Fact label="Website">{chat.site.name || 'Unknown Site'}</Fact>
        <Fact label="Claimed by">{chat.claimedBy?.name ?? 'Nobody yet'}</Fact>
        <Fact label="Started">
          <Time at={chat.createdAt} />
        </Fact>
        {chat.closedAt && (
          <Fact label="Closed">
            <Time at={chat.closedAt} />
          </Fact>
        )}
      </dl>
    </aside>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{label}</dt>
      <dd className="pt-0.5 wrap-anywhere">{children}</dd>
    </div>
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
