import type { BulkChange, BulkResult, Chat } from 'server/contract';
import { t } from '../../../lib/i18n.ts';
import { toastAction } from '../../../ui/actionToast.tsx';
import { outcomeOf } from './outcome.ts';

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
  toastAction({
    text: (
      <>
        <span className="block">{summary}</span>
        {isFailure && (
          <ul className="pt-1 text-xs text-muted">
            {refusals.map((refusal) => (
              <li key={refusal}>{refusal}</li>
            ))}
          </ul>
        )}
      </>
    ),
    label: t('Undo'),
    run: undo,
    stays: isFailure,
  });
}
