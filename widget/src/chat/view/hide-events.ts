/** What the focus traps of modals and shortcuts listen to, also in the capture phase: before the widget's own listeners. */
const TRAPPED = 'keydown keyup keypress focusin focusout';

/**
 * Hides the widget's events from the page, as those in a frame are hidden. Otherwise the focus trap of a modal takes the focus and
 * what the visitor types, and shortcuts fire: outside the shadow root no event looks as if it came from a text field.
 */
export function hideEvents(container: HTMLElement, signal: AbortSignal): void {
  const { host } = container.getRootNode() as ShadowRoot;

  function hide(event: Event): void {
    const { type, target } = event;
    const [from] = event.composedPath() as [EventTarget];
    const init: Record<string, unknown> = {};
    if (target === host) for (const name in event) init[name] = event[name as keyof Event];
    else if (type !== 'focusout' || (event as FocusEvent).relatedTarget !== host) return;
    event.stopImmediatePropagation();
    // The widget's own listeners get a copy that stays in the shadow root. Of the focus that leaves an element of the page for the
    // widget, the page hears that it goes nowhere, as with a frame.
    const copy = new (event.constructor as typeof Event)(type, { ...init, bubbles: true, composed: target !== host });
    if (!from.dispatchEvent(copy)) event.preventDefault();
  }

  // Pages cancel these so that nothing behind a modal scrolls.
  for (const type of ['touchmove', 'wheel'])
    container.addEventListener(type, (event) => event.stopPropagation(), { signal, passive: true });
  // At the window, capturing listeners are called before those of the document, whichever are older.
  for (const type of TRAPPED.split(' ')) addEventListener(type, hide, { signal, capture: true });
}
