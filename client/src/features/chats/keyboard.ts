import { useEffect, useEffectEvent } from 'react';
import { isComposing } from '../../lib/composing.ts';
import { hasSingleKeyShortcuts } from '../../lib/preferences.ts';

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

/** What the inbox's keys do, by their names; `open` is left to the row itself, which is a link. */
export function inboxKeymap(actions: Partial<Record<InboxKey, () => void>>): Keymap {
  const names = Object.keys(INBOX_KEYS) as InboxKey[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const action = actions[name];
      return action ? INBOX_KEYS[name].keys.map((key) => [key, action]) : [];
    }),
  );
}

/** Single keys for the whole screen: silent while somebody types, in a dialog, or with a modifier held. */
export function useKeys(keymap: Keymap): void {
  const actionFor = useEffectEvent((key: string) => keymap[key]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isModified(event)) return;
      const action = actionFor(event.key);
      if (!action || isElsewhere(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/**
 * Whether the key is not for the screen: part of something that the browser, or a way of writing, understands, or a
 * letter or sign where those are switched off.
 */
export function isModified(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  return isComposing(event) || ctrlKey || metaKey || altKey || (key.length === 1 && !hasSingleKeyShortcuts());
}

/** Whether the key belongs to a field, a menu or a window; Escape leaves a field. */
export function isElsewhere({ target, key }: KeyboardEvent): boolean {
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
