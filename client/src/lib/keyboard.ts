import { isComposing } from 'browser/isComposing';
import { useEffect, useEffectEvent } from 'react';
import { useAuth } from './auth.tsx';

/** The action of each key; other keys are left to the browser. */
export type Keymap = Partial<Record<string, () => void>>;

/** Keys that do the same, with their explanation in the help dialog. */
export interface Shortcut {
  keys: readonly string[];
  /** In English. */
  does: string;
}

/** The keymap of the keys that have an action of the same name. */
export function keymapOf<Name extends string>(
  shortcuts: Readonly<Record<Name, Shortcut>>,
  actions: Partial<Record<Name, () => void>>,
): Keymap {
  const names = Object.keys(shortcuts) as Name[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const action = actions[name];
      return action ? shortcuts[name].keys.map((key) => [key, action]) : [];
    }),
  );
}

/** Hears each key that is pressed anywhere on the page. @param first before all others hear it */
export function useKeys(onKey: (event: KeyboardEvent) => void, first = false): void {
  const hear = useEffectEvent(onKey);
  useEffect(() => {
    document.addEventListener('keydown', hear, first);
    return () => document.removeEventListener('keydown', hear, first);
  }, [first]);
}

/**
 * Single-key shortcuts (hotkeys) for the whole screen; off while the user types, in dialogs, and with a modifier key.
 * @param first they take precedence over all others
 */
export function useShortcuts(keymap: Keymap, first = false): void {
  const isForOthers = useIsForOthers();
  useKeys((event) => {
    const action = keymap[event.key];
    if (!action || event.defaultPrevented || isForOthers(event)) return;
    event.preventDefault();
    action();
  }, first);
}

/**
 * Tells whether a key is no shortcut: it is for a control, part of an input method or of a shortcut of the browser, or it is
 * a single character and the user has switched those off, as WCAG 2.1.4 asks for people who dictate or press keys by accident.
 */
export function useIsForOthers() {
  const { user } = useAuth();
  return (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isOff = user?.singleKeyShortcuts === false && key.length === 1;
    return isOff || ctrlKey || metaKey || altKey || isComposing(event) || isForControl(event);
  };
}

/** Whether the key is for a field, a menu or a dialog. Escape in a field is for the screen, which moves the focus. */
function isForControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="combobox"]'))
    return true;
  // Arrow keys scroll what has the focus, unless that is a row or the list of them.
  if (key.startsWith('Arrow') && !target.matches('[data-rows], [data-row] *')) return true;
  return (
    key !== 'Escape' && target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
  );
}

/** Whether the keyboard has the keys of a Mac. */
export function isMac(): boolean {
  return /Mac|iPhone|iPad/.test(navigator.platform);
}
