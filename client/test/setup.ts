import { cleanup, configure, prettyDOM } from '@testing-library/react';
import * as React from 'react';
import toast from 'react-hot-toast';
import { afterEach, vi } from 'vitest';
import { answerFast } from './fastAnswers.ts';

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

/**
 * Prints the page only if somebody reads the error: a search that waits for an element fails again and again before it is
 * there, and printing took longer than searching.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = 'TestingLibraryElementError';
  const get = () => [message, prettyDOM(container)].filter(Boolean).join('\n\n');
  return Object.defineProperty(error, 'message', { get, configurable: true });
}

// React notes a call stack for each element that it makes, which only its warnings print: a seventh of the time of all tests.
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE');
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set: () => {} });

// As in a browser, where `window` knows elements by their ids: without it, each toast adds the styles of all toasts to the page once
// more, and jsdom tries every rule on each element that a test asks about.
Object.defineProperty(globalThis, '_goober', { get: () => document.getElementById('_goober'), configurable: true });

// Far more than any screen needs on a quiet machine: a busy one is no failure.
configure({ asyncUtilTimeout: 60_000, getElementError });
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
