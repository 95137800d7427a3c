import { useEffect, useEffectEvent } from 'react';
import { useAuth } from './auth.tsx';

/** The second key of a shortcut such as `g`, then `i`, must follow the first one within this time. */
const SECOND_KEY_WITHIN_MS = 1_500;

/** The action of each key; other keys are left to the browser. */
export type Keymap = Partial<Record<string, () => void>>;

/** Keys that do the same, with their explanation in the help dialog. */
export interface Shortcut {
  keys: readonly string[];
  does: string;
}

/** The keymap of the keys that have an action of the same name. */
export function keymapOf<Name extends string>(
  keys: Readonly<Record<Name, readonly string[]>>,
  actions: Partial<Record<Name, () => void>>,
): Keymap {
  const names = Object.keys(keys) as Name[];
  return Object.fromEntries(
    names.flatMap((name) => {
      const action = actions[name];
      return action ? keys[name].map((key) => [key, action]) : [];
    }),
  );
}

/**
 * Single-key shortcuts for the whole screen; off while the user types, in dialogs, and with a modifier key.
 * @param first they take precedence over all others
 */
export function useShortcuts(keymap: Keymap, first = false): void {
  const isForBrowser = useIsForBrowser();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isForBrowser(event)) return;
    const action = keymap[event.key];
    if (!action || isForControl(event)) return;
    event.preventDefault();
    action();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKeyDown, first);
    return () => document.removeEventListener('keydown', onKeyDown, first);
  }, [first]);
}

/** Two-key shortcuts such as `g`, then `i`. Listens in the capture phase, so they take precedence over single keys. */
export function useTwoKeyShortcuts(first: string, keymap: Keymap): void {
  const actionFor = useEffectEvent((key: string) => keymap[key]);
  const isForBrowser = useEffectEvent(useIsForBrowser());
  useEffect(() => {
    let until = 0;
    const onKey = (event: KeyboardEvent) => {
      if (isForBrowser(event) || isForControl(event)) return;
      const action = event.timeStamp < until ? actionFor(event.key) : undefined;
      until = event.key === first ? event.timeStamp + SECOND_KEY_WITHIN_MS : 0;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [first]);
}

/**
 * Tells whether a key is no shortcut: it is part of an input method or of a shortcut of the browser, or it is a single
 * character and the user has switched those off, as WCAG 2.1.4 asks for people who dictate or press keys by accident.
 */
function useIsForBrowser() {
  const { user } = useAuth();
  return (event: KeyboardEvent): boolean => {
    const { key, ctrlKey, metaKey, altKey } = event;
    const isOff = user?.singleKeyShortcuts === false && key.length === 1;
    return isOff || isComposing(event) || ctrlKey || metaKey || altKey;
  };
}

/** Whether the key is for a field, a menu or a dialog. Escape in a field is for the screen, which moves the focus. */
function isForControl({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest('[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"], [role="combobox"]'))
    return true;
  // Arrow keys scroll what has the focus, unless that is a row.
  if (key.startsWith('Arrow') && !target.closest('[data-row]')) return true;
  return (
    key !== 'Escape' && target.closest('input:not([type="checkbox"]), textarea, select, [contenteditable]') !== null
  );
}

/** A key event of React or of the browser. */
interface Key {
  isComposing: boolean;
  keyCode: number;
}

/** The `keyCode` of a key that is handled by an input method. */
const IME_KEY_CODE = 229;

/** Whether an input method (IME) handles the key. In Safari, `isComposing` is false for the Enter that ends the composition. */
export function isComposing({ isComposing, keyCode }: Key): boolean {
  return isComposing || keyCode === IME_KEY_CODE;
}
