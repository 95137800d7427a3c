import toast from 'react-hot-toast';
import type { BulkChange, BulkResult, Chat } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { outcomeOf } from './outcome.ts';

const SHOWN_MS = 10_000;

interface OutcomeToast {
  change: BulkChange & { name: string };
  results: readonly BulkResult[];
  chats: readonly Chat[];
  /** Takes back what was done; null: there is no way back. */
  undo: (() => void) | null;
}

/** Says in a toast what happened to several chats. One that names refusals stays until it is dismissed. */
export function toastOutcome({ change, results, chats, undo }: OutcomeToast): void {
  const { summary, refusals } = outcomeOf(change, results, chats);
  const isFailure = refusals.length > 0;
  const say = ({ id }: { id: string }) => (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">
        <span dir="auto" className="block">
          {summary}
        </span>
        {isFailure && (
          <ul className="pt-1 text-xs text-muted">
            {refusals.map((refusal) => (
              <li key={refusal} dir="auto">
                {refusal}
              </li>
            ))}
          </ul>
        )}
      </span>
      <span className="flex gap-x-3">
        {undo && (
          <button
            type="button"
            className="rounded-small font-semibold text-accent hover:text-accent-strong"
            onClick={() => {
              toast.dismiss(id);
              undo();
            }}
          >
            {t('Undo')}
          </button>
        )}
        {isFailure && (
          <button
            type="button"
            className="rounded-small font-medium text-muted hover:text-text"
            onClick={() => toast.dismiss(id)}
          >
            {t('Dismiss')}
          </button>
        )}
      </span>
    </span>
  );
  toast(say, { duration: isFailure ? Number.POSITIVE_INFINITY : SHOWN_MS });
}
