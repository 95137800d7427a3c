import { useRef } from 'react';

/** Returns the focus to where it was before a dialog without a trigger opened, or to what was around that if it is gone. */
export function useFocusBefore() {
  const before = useRef<HTMLElement | null>(null);
  const around = useRef<HTMLElement | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = ownerOf(document.activeElement);
      around.current = before.current?.parentElement?.closest<HTMLElement>('[tabindex="-1"]') ?? null;
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      (before.current?.isConnected ? before : around).current?.focus();
    },
  };
}

/** The focused element, or the button of its menu, since the menu is gone by the time the dialog closes. */
function ownerOf(focused: Element | null): HTMLElement | null {
  const label = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const owner = label ? document.getElementById(label) : focused;
  return owner instanceof HTMLElement ? owner : null;
}
