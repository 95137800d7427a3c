import toast from 'react-hot-toast';
import { failureText, isFinal } from '../lib/http.ts';
import { sentences, t } from '../lib/i18n.ts';
import { toastAction } from './actionToast.tsx';

/** Shows a failure in a toast with a retry; it stays until it is dismissed. The same failure replaces the toast of the one before. */
export function toastFailure(text: string, onRetry: () => void): void {
  toastAction({ id: text, text, label: t('Try again'), run: onRetry, stays: true, isFailure: true });
}

/**
 * Says in a toast that something failed and why; with a retry, unless the server refused, since it would refuse again.
 * @param failure a sentence that says what failed
 */
export function showFailure(error: unknown, failure: string, onRetry: () => void): void {
  if (isFinal(error)) toast.error(failureText(error, failure));
  else toastFailure(sentences(failure, failureText(error, '')), onRetry);
}
