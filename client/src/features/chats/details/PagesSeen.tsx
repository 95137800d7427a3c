import { useState } from 'react';
import type { SeenPage, VisitorFacts } from 'server/contract';
import { webAddress } from '../../../lib/webAddress.ts';
import { Button } from '../../../ui/Button.tsx';
import { Time } from '../../../ui/Time.tsx';
import { Fact } from './Fact.tsx';

const LABEL = 'Pages seen before';
const AT_ONCE = 3;

/** The pages that the visitor saw before the one that is open, which stands above them. */
export function PagesSeen({ visitor: { page, pages } }: { visitor: VisitorFacts }) {
  const [all, setAll] = useState(false);
  const before = pages[0]?.url === page?.url ? pages.slice(1) : pages;
  if (before.length === 0) return null;
  return (
    <Fact label={LABEL} wide>
      <ul aria-label={LABEL} className="flex flex-col gap-1">
        {before.slice(0, all ? undefined : AT_ONCE).map((seen) => (
          <li key={seen.at + seen.url} className="flex items-baseline justify-between gap-3">
            <SeenLink seen={seen} />
            <Time at={seen.at} className="shrink-0 text-xs text-muted" />
          </li>
        ))}
      </ul>
      {before.length > AT_ONCE && (
        <Button variant="secondary" size="sm" className="mt-2" onClick={() => setAll(!all)}>
          {all ? 'Show fewer' : 'Show all'}
        </Button>
      )}
    </Fact>
  );
}

/** In one line: the title, else the address without the website. As everywhere, only a web address becomes a link. */
function SeenLink({ seen: { url, title } }: { seen: SeenPage }) {
  const href = webAddress(url);
  if (!href) return <span className="min-w-0 truncate">{title || url}</span>;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      title={url}
      dir="auto"
      className="min-w-0 truncate text-accent-strong underline-offset-2 hover:underline"
    >
      {title || href.slice(new URL(href).origin.length)}
    </a>
  );
}
