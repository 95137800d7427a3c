/**
 * Fits a full-screen panel into the space above the phone's keyboard, and stops the page behind it from scrolling.
 * @returns does so; call it after the panel has opened, closed or got another place
 */
export function createFullScreen(panel: HTMLElement, signal: AbortSignal): () => void {
  const view = window.visualViewport;
  const page = document.documentElement.style;
  let held = false;
  let overflow = '';

  function fit(): void {
    // The style sheets alone say where the panel fills the screen.
    const full = !panel.hidden && getComputedStyle(panel).position === 'fixed';
    panel.setAttribute('aria-modal', `${full}`);
    if (full !== held) {
      held = document.body.inert = full;
      if (full) ({ overflow } = page);
      page.overflow = full ? 'hidden' : overflow;
    }
    panel.style.setProperty('--top', `${view?.offsetTop}px`);
    panel.style.setProperty('--height', `${view?.height}px`);
  }

  for (const change of ['resize', 'scroll']) view?.addEventListener(change, fit, { signal });
  return fit;
}
