import { useEffect, useRef } from 'react';

/** What each key does; a key with nothing to do is left to the browser. */
export type Keymap = Partial<Record<string, () => void>>;

/** Keys that do one thing, as the help sheet explains them. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
}

/** The keys of the inbox: the screen obeys this list, and the help sheet shows it. */
export const INBOX_KEYS = {
  next: { keys: ['j', 'ArrowDown'], does: 'Next chat' },
  previous: { keys: ['k', 'ArrowUp'], does: 'Previous chat' },
  claim: { keys: ['c'], does: 'Claim the chat' },
  reply: { keys: ['r'], does: 'Write an answer' },
  leave: { keys: ['Escape'], does: 'Back to the list' },
} as const satisfies Record<string, Shortcut>;

/** What the inbox's keys do, by their names. */
export function inboxKeymap(actions: Record<keyof typeof INBOX_KEYS, () => void>): Keymap {
  const names = Object.keys(INBOX_KEYS) as (keyof typeof INBOX_KEYS)[];
  return Object.fromEntries(names.flatMap((name) => INBOX_KEYS[name].keys.map((key) => [key, actions[name]])));
}

/** Single keys for the whole screen: silent while somebody types, in a dialog, or with a modifier held. */
export function useKeys(keymap: Keymap): void {
  const current = useRef(keymap);
  useEffect(() => {
    current.current = keymap;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
      const action = current.current[event.key];
      if (!action || isElsewhere(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Whether the key belongs to a field, a menu or a window; Escape leaves a field. */
function isElsewhere({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="combobox"]'))
    return true;
  // Arrows scroll whatever has the focus, unless that is a row.
  if (key.startsWith('Arrow') && !target.closest('[data-row]')) return true;
  return key !== 'Escape' && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Moves the focus by `step` among the rows of a list; to the first one if none has it. */
export function moveFocus(list: HTMLElement | null, step: 1 | -1): void {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const current = at >= 0 ? at : rows.findIndex((row) => row.querySelector('[aria-current="true"]'));
  const next = current < 0 ? rows[0] : rows[current + step];
  next?.querySelector<HTMLElement>('a')?.focus();
}
