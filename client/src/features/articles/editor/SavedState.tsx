import { CloudAlert, CloudCheck } from 'lucide-react';
import { ApiError, failureText, isFinal } from '../../../lib/http.ts';
import { sentences, t } from '../../../lib/i18n.ts';
import { Button } from '../../../ui/Button.tsx';
import type { Saver } from './saver.ts';
import { useSaverState } from './useSavers.ts';

/** What the server finds wrong with a field. */
export function fieldError(failure: unknown, field: string): string | undefined {
  return failure instanceof ApiError
    ? failure.errors.find(({ path }) => path.split(/[.[]/)[0] === field)?.msg
    : undefined;
}

/** Whether what is written is saved, and if not, why. */
export function SavedState({ saver }: { saver: Saver }) {
  const { phase, failure } = useSaverState(saver);
  if (phase === 'failed') {
    return (
      <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-danger">
        <CloudAlert size={16} aria-hidden className="shrink-0" />
        <span className="min-w-0">
          {isFinal(failure)
            ? sentences(t('Not saved.'), failureText(failure, ''))
            : t('Not saved. It is kept in this browser until the server can be reached.')}
        </span>
        <Button variant="ghost" size="sm" onClick={() => void saver.flush()}>
          {t('Try again')}
        </Button>
      </p>
    );
  }
  return (
    <p className="flex items-center gap-1.5 text-muted" data-phase={phase}>
      {phase === 'saved' && <CloudCheck size={16} aria-hidden className="text-success" />}
      {phase === 'conflict' ? t('Not saved') : phase === 'saved' ? t('Saved') : t('Saving…')}
    </p>
  );
}
