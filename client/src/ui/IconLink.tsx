import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Tooltip } from './Tooltip.tsx';

interface IconLinkProps {
  to: string;
  /** Its name, for screen readers and in the tooltip. */
  label: string;
  children: ReactNode;
}

/** A way to another screen that is only an icon, named in words. */
export function IconLink({ to, label, children }: IconLinkProps) {
  return (
    <Tooltip text={label}>
      <Link
        to={to}
        aria-label={label}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-control text-muted transition-colors hover:bg-text/5 hover:text-text"
      >
        {children}
      </Link>
    </Tooltip>
  );
}
