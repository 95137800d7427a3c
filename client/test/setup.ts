import { cleanup, configure } from '@testing-library/react';
import toast from 'react-hot-toast';
import { afterEach, vi } from 'vitest';
import { answerFast } from './styles.ts';

/** What jsdom lacks and the controls ask for; there is no layout to observe. */
class NoResizes implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A page that likes stillness and light, and never changes its mind. */
function matchMedia(media: string): MediaQueryList {
  const still = new EventTarget();
  return Object.assign(still, {
    media,
    matches: media.includes('prefers-reduced-motion'),
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  });
}

// Far more than any screen needs on a quiet machine: a busy one is no failure.
configure({ asyncUtilTimeout: 60_000 });
if (document.defaultView) answerFast(document.defaultView);
window.matchMedia ??= matchMedia;
globalThis.ResizeObserver ??= NoResizes;
Element.prototype.scrollIntoView ??= () => undefined;
Element.prototype.hasPointerCapture ??= () => false;
Element.prototype.setPointerCapture ??= () => undefined;
Element.prototype.releasePointerCapture ??= () => undefined;

afterEach(() => {
  cleanup();
  toast.remove();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
