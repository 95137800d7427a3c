/** Below this width the open panel fills the screen. The style sheet has the same number. */
const NARROW = '(max-width: 479px)';

/** Fits a full-screen panel into the space above the phone's keyboard, and stops the page behind it from scrolling. */
export function createFullScreen(panel: HTMLElement) {
  const narrow = matchMedia(NARROW);
  const view = window.visualViewport;
  const page = document.documentElement.style;
  let lifetime: AbortController | undefined;
  let held = false;
  let overflow = '';

  function hold(full: boolean): void {
    panel.setAttribute('aria-modal', `${full}`);
    if (full === held) return;
    held = full;
    document.body.inert = full;
    if (full) ({ overflow } = page);
    page.overflow = full ? 'hidden' : overflow;
  }

  function measure(): void {
    if (!view) return;
    panel.style.setProperty('--top', `${view.offsetTop}px`);
    panel.style.setProperty('--height', `${view.height}px`);
  }

  return {
    opened(): void {
      lifetime = new AbortController();
      const { signal } = lifetime;
      narrow.addEventListener('change', () => hold(narrow.matches), { signal });
      for (const change of ['resize', 'scroll']) view?.addEventListener(change, measure, { signal });
      hold(narrow.matches);
      measure();
    },
    closed(): void {
      lifetime?.abort();
      hold(false);
    },
  };
}
