/** Below this width the open panel fills the screen. The style sheet has the same number. */
const NARROW = '(max-width: 479px)';

export interface Phone {
  opened(): void;
  closed(): void;
}

/** Keeps a full-screen panel inside what the phone's keyboard leaves, and the page behind it still. */
export function createPhone(panel: HTMLElement): Phone {
  const narrow = matchMedia(NARROW);
  const page = document.documentElement.style;
  let life: AbortController | null = null;
  let overflow: string | null = null;

  function hold(): void {
    const full = narrow.matches;
    if (full && overflow === null) {
      overflow = page.overflow;
      page.overflow = 'hidden';
      document.body.inert = true;
    }
    if (!full) release();
    panel.setAttribute('aria-modal', `${full}`);
    measure();
  }

  function release(): void {
    if (overflow === null) return;
    page.overflow = overflow;
    overflow = null;
    document.body.inert = false;
  }

  function measure(): void {
    const view = window.visualViewport;
    if (!view) return;
    panel.style.setProperty('--top', `${view.offsetTop}px`);
    panel.style.setProperty('--height', `${view.height}px`);
  }

  return {
    opened() {
      life = new AbortController();
      const { signal } = life;
      narrow.addEventListener('change', hold, { signal });
      window.visualViewport?.addEventListener('resize', measure, { signal });
      window.visualViewport?.addEventListener('scroll', measure, { signal });
      hold();
    },
    closed() {
      life?.abort();
      release();
    },
  };
}
