import { type FocusEvent, type ReactNode, useRef } from 'react';
import toast, { type Toast } from 'react-hot-toast';
import { t } from '../lib/i18n.ts';
import { isMac, useKeys } from '../lib/keyboard.ts';

/** Longer than other toasts: whoever is to press the button may be busy with another chat. */
const SHOWN_MS = 10_000;

/** What presses the button of the newest toast. With a modifier, so that it also works while one writes. */
const KEY = { code: 'KeyZ', letter: 'z', name: isMac() ? '⌥Z' : 'Alt+Z' };

/** A toast with a button. */
interface ActionToast {
  /** The same id replaces an earlier toast. */
  id?: string;
  text: ReactNode;
  /** The button's label. */
  label: string;
  /** What the button does; null: there is no button. */
  run: (() => void) | null;
  /** Whether it stays until it is dismissed. */
  stays?: boolean;
  isFailure?: boolean;
}

/** Shows what happened in a toast, with a button for what can be done about it. */
export function toastAction({ id, isFailure = false, ...parts }: ActionToast): void {
  const show = isFailure ? toast.error : toast;
  const duration = parts.stays ? Number.POSITIVE_INFINITY : SHOWN_MS;
  show((shown) => <Body {...parts} toast={shown} />, { ...(id !== undefined && { id }), duration });
}

function Body({ toast: { id, visible }, text, label, run, stays }: Omit<ActionToast, 'id'> & { toast: Toast }) {
  const before = useRef<Element | null>(null);
  const onFocus = ({ relatedTarget }: FocusEvent) => {
    if (!relatedTarget?.closest('[data-rht-toaster]')) before.current = relatedTarget;
  };
  const dismiss = () => {
    toast.dismiss(id);
    // The button goes away: its focus goes back to where it was.
    if (before.current instanceof HTMLElement) before.current.focus();
  };
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="min-w-0">{text}</span>
      <span className="flex items-baseline gap-x-3">
        {run && (
          <button
            type="button"
            onFocus={onFocus}
            // Not while it fades out.
            data-toast-action={visible || undefined}
            aria-keyshortcuts="Alt+Z"
            className="rounded-small font-semibold text-accent hover:text-accent-strong"
            onClick={() => {
              dismiss();
              run();
            }}
          >
            {label}
          </button>
        )}
        {run && <kbd className="font-sans text-xs text-muted pointer-coarse:hidden">{KEY.name}</kbd>}
        {stays && (
          <button
            type="button"
            onFocus={onFocus}
            className="rounded-small font-medium text-muted hover:text-text"
            onClick={dismiss}
          >
            {t('Dismiss')}
          </button>
        )}
      </span>
    </span>
  );
}

/** The shortcut for the button of the newest toast. */
export function useToastKey(): void {
  useKeys(pressNewest);
}

function pressNewest(event: KeyboardEvent): void {
  const { key, code, altKey, ctrlKey, metaKey, shiftKey, target } = event;
  // With the option key of a Mac, the key types another letter.
  const isKey = /^[a-z]$/i.test(key) ? key.toLowerCase() === KEY.letter : code === KEY.code;
  if (!isKey || !altKey || ctrlKey || metaKey || shiftKey) return;
  if (target instanceof Element && target.closest('[role="dialog"], [role="alertdialog"]')) return;
  const button = document.querySelector<HTMLElement>('[data-toast-action]');
  if (!button) return;
  event.preventDefault();
  button.click();
}
