import { useEffect, useEffectEvent } from 'react';
import { isComposing } from '../../lib/composing.ts';
import { hasSingleKeyShortcuts } from '../../lib/preferences.ts';

/** The action of each key; other keys are left to the browser. */
export type Keymap = Partial<Record<string, () => void>>;

/** Keys that do the same, with their explanation in the help dialog. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
}

/** The keys of the inbox, for its keymap and for the help dialog. */
export const INBOX_KEYS = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next chat' },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous chat' },
  open: { keys: ['Enter'], does: 'Open the chat' },
  claim: { keys: ['c'], does: 'Claim the chat' },
  reply: { keys: ['r'], does: 'Write an answer' },
  transfer: { keys: ['t'], does: 'Hand the chat to a teammate' },
  close: { keys: ['e'], does: 'Close the chat' },
  details: { keys: ['d'], does: 'Show or hide the details' },
  search: { keys: ['/'], does: 'Search in the list' },
  leave: { keys: ['Escape'], does: 'Back to the list' },
} as const satisfies Record<string, Shortcut>;

type InboxKey = keyof typeof INBOX_KEYS;

/** A keymap from actions by name. `open` needs none: a row is a link. */
export function inboxKeymap(actions: Partial<Record<InboxKey, () => void>>): Keymap {
  const names = Object.keys(INBOX_KEYS) as InboxKey[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const action = actions[name];
      return action ? INBOX_KEYS[name].keys.map((key) => [key, action]) : [];
    }),
  );
}

/** Single-key shortcuts for the whole screen; off while the user types, in dialogs, and with a modifier key. */
export function useShortcuts(keymap: Keymap): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isForBrowser(event)) return;
    const action = keymap[event.key];
    if (!action || isForControl(event)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

/**
 * Whether the key is no shortcut: it is part of an input method or of a shortcut of the browser, or it is a single character
 * and the user has switched those off.
 */
export function isForBrowser(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  return isComposing(event) || ctrlKey || metaKey || altKey || (key.length === 1 && !hasSingleKeyShortcuts());
}

/** Whether the key is for a field, a menu or a dialog. Escape in a field is for the screen, which moves the focus. */
export function isForControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="combobox"]'))
    return true;
  // Arrow keys scroll what has the focus, unless that is a row.
  if (key.startsWith('Arrow') && !target.closest('[data-row]')) return true;
  return key !== 'Escape' && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Moves the focus by `step` rows, from the row that has it, else from the open chat's, else to the first. */
export function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const current = at >= 0 ? at : rows.findIndex((row) => row.querySelector('[aria-current="true"]'));
  const next = current < 0 ? rows[0] : rows[current + step];
  next?.querySelector<HTMLElement>('a')?.focus();
}
