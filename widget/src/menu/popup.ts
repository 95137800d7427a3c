/**
 * A box that opens beside its button: arrow keys go through its items, Escape and a click elsewhere close it.
 * @param hide takes the box off the panel
 */
export function createPopup(panel: HTMLElement, box: HTMLElement, hide: () => void) {
  let opener: HTMLElement | null = null;

  function close(): void {
    hide();
    opener?.setAttribute('aria-expanded', 'false');
    opener = null;
  }

  /** Closes it, and gives the focus back to its button. */
  function leave(): void {
    const from = opener;
    close();
    from?.focus();
  }

  box.addEventListener('keydown', (event) => {
    const items = [...box.querySelectorAll<HTMLElement>('[role="menuitem"]')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') {
      event.preventDefault();
      leave();
    } else if (items.length && event.key === 'Tab') leave();
    else if (items.length && step) {
      event.preventDefault();
      items[(items.indexOf(event.target as HTMLElement) + step + items.length) % items.length]?.focus();
    }
  });
  panel.addEventListener('click', (event) => {
    const path = event.composedPath();
    if (opener && !path.includes(box) && !path.includes(opener)) close();
  });

  return {
    close,
    leave,
    /** Opens it, or closes it where it was opened by the same button. @param show draws it */
    toggle(from: HTMLElement, show: () => void): void {
      const wasOpen = opener === from;
      close();
      if (wasOpen) return;
      opener = from;
      from.setAttribute('aria-expanded', 'true');
      show();
    },
  };
}
