import { CircleCheck, CircleDashed, CircleX, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { msg, t } from '../../lib/i18n.ts';
import { Spinner } from '../../ui/Spinner.tsx';
import type { Outcome } from './outcome.ts';

const LOOKS: Record<Outcome['state'], { icon: LucideIcon; word: string; className: string }> = {
  ok: { icon: CircleCheck, word: msg('OK|state'), className: 'text-success' },
  attention: { icon: TriangleAlert, word: msg('Attention'), className: 'text-waiting' },
  failed: { icon: CircleX, word: msg('Failed'), className: 'text-danger' },
};

interface RowProps {
  /** In English. */
  name: string;
  outcome: Outcome | undefined;
  running: boolean;
  /** Below the outcome. */
  children?: ReactNode;
}

/** A check with its outcome. */
export function Row({ name, outcome, running, children }: RowProps) {
  const look = outcome && LOOKS[outcome.state];
  const Icon = look?.icon ?? CircleDashed;
  return (
    <li className="flex items-start gap-3 px-4 py-3.5 sm:px-5">
      <span className={look?.className ?? 'text-muted'}>
        {running && !look ? <Spinner size={18} /> : <Icon size={18} aria-hidden className="mt-px" />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span dir="auto" className="font-medium wrap-anywhere">
            {t(name)}
          </span>
          {look && <span className={`text-xs font-medium ${look.className}`}>{t(look.word)}</span>}
        </p>
        {outcome && (
          <p className="wrap-anywhere text-muted">
            {outcome.says}{' '}
            {outcome.way && (
              <Link to={outcome.way.to} className="font-medium whitespace-nowrap text-accent hover:underline">
                {t(outcome.way.label)}
              </Link>
            )}
          </p>
        )}
        {children}
      </div>
    </li>
  );
}
