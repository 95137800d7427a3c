import { useRef } from 'react';

/** Gives the focus back, when a window closes that has no trigger of its own, to where it was before. */
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

/** What has the focus, or the button of the menu that it stands in: the menu is gone by the time the window closes. */
function ownerOf(focused: Element | null): HTMLElement | null {
  const label = focused?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const owner = label ? document.getElementById(label) : focused;
  return owner instanceof HTMLElement ? owner : null;
}
