import { TriangleAlert } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';

interface ErrorStateProps {
  what: string;
  onRetry: () => void;
  retryLabel?: string;
  busy?: boolean;
  /** In one line, where there is no room. */
  compact?: boolean;
}

/** Something failed to load; `what` is a whole sentence that says what. */
export function ErrorState({
  what,
  onRetry,
  retryLabel = t('Try again'),
  busy = false,
  compact = false,
}: ErrorStateProps) {
  const retry = (
    <Button variant="secondary" size="sm" busy={busy} onClick={onRetry}>
      {retryLabel}
    </Button>
  );
  if (compact) {
    return (
      <div role="alert" className="flex min-w-0 items-center gap-3 text-xs">
        <p className="line-clamp-2">{what}</p>
        {retry}
      </div>
    );
  }
  return (
    <div role="alert" className="flex flex-col items-center justify-center gap-1 px-6 py-12 text-center">
      <span className="mb-3 inline-flex size-11 items-center justify-center rounded-full bg-danger-soft text-danger">
        <TriangleAlert size={20} aria-hidden />
      </span>
      <p className="max-w-sm text-balance font-semibold">{what}</p>
      <div className="pt-4">{retry}</div>
    </div>
  );
}
