import { useRef } from 'react';

/** Returns the focus to where it was before a dialog without a trigger opened. */
export function useFocusBefore() {
  const before = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = ownerOf(document.activeElement);
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      before.current?.focus();
    },
  };
}

/** The focused element, or the button of its menu, since the menu is gone by the time the dialog closes. */
function ownerOf(focused: Element | null): HTMLElement | null {
  const label = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const owner = label ? document.getElementById(label) : focused;
  return owner instanceof HTMLElement ? owner : null;
}
