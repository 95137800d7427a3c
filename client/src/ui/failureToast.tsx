import toast from 'react-hot-toast';
import { failureText, isFinal } from '../lib/http.ts';
import { t } from '../lib/i18n.ts';

/** Shows a failure in a toast with a retry; it stays until it is dismissed. */
export function toastFailure(text: string, onRetry: () => void): void {
  const say = ({ id }: { id: string }) => (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{text}</span>
      <span className="flex gap-x-3">
        <button
          type="button"
          className="rounded-small font-semibold text-accent hover:text-accent-strong"
          onClick={() => {
            toast.dismiss(id);
            onRetry();
          }}
        >
          {t('Try again')}
        </button>
        <button
          type="button"
          className="rounded-small font-medium text-muted hover:text-text"
          onClick={() => toast.dismiss(id)}
        >
          {t('Dismiss')}
        </button>
      </span>
    </span>
  );
  // The same failure replaces the toast of the one before.
  toast.error(say, { id: text, duration: Number.POSITIVE_INFINITY });
}

/**
 * Says in a toast that something failed and why; with a retry, unless the server refused, since it would refuse again.
 * @param failure a sentence that says what failed
 */
export function showFailure(error: unknown, failure: string, onRetry: () => void): void {
  if (isFinal(error)) toast.error(failureText(error, failure));
  else toastFailure(`${failure} ${failureText(error, '')}`.trim(), onRetry);
}
