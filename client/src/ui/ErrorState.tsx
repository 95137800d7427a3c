import { TriangleAlert } from 'lucide-react';
import { t } from '../lib/i18n.ts';
import { Button } from './Button.tsx';

interface ErrorStateProps {
  what: string;
  onRetry: () => void;
  retryLabel?: string;
}

/** Something failed to load; `what` is a whole sentence that says what. */
export function ErrorState({ what, onRetry, retryLabel = t('Try again') }: ErrorStateProps) {
  return (
    <div role="alert" className="flex flex-col items-center justify-center gap-1 px-6 py-12 text-center">
      <span className="mb-3 inline-flex size-11 items-center justify-center rounded-full bg-danger-soft text-danger">
        <TriangleAlert size={20} aria-hidden />
      </span>
      <p className="max-w-sm text-balance font-semibold">{what}</p>
      <div className="pt-4">
        <Button variant="secondary" size="sm" onClick={onRetry}>
          {retryLabel}
        </Button>
      </div>
    </div>
  );
}
