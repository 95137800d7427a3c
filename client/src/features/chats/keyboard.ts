import { useEffect, useRef } from 'react';

/** What each key does; a key with nothing to do is left to the browser. */
export type Keymap = Partial<Record<string, () => void>>;

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
