import { Link as LinkIcon } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';

/** A heading that can be linked to. */
export function Heading({ id, level = 2, children }: { id: string; level?: 2 | 3; children: string }) {
  const { pathname, search } = useLocation();
  const Tag = level === 2 ? 'h2' : 'h3';
  return (
    <Tag id={id} className={`group scroll-mt-24 font-semibold ${level === 2 ? 'text-xl/7' : 'text-base'}`}>
      {children}
      <Link
        to={{ pathname, search, hash: id }}
        aria-label={`Link to ${children}`}
        className="ml-2 inline-block align-middle text-muted opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
      >
        <LinkIcon size={16} aria-hidden />
      </Link>
    </Tag>
  );
}
