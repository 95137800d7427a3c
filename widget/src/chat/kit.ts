import type { Kit } from '../frame.ts';

/** The loader's own helpers, handed over when the chat starts: a page fetches them once. */
export let { addStyles, el, icon, mark } = {} as Kit;

/** Makes the helpers available to the whole chat; before this, nothing of it can run. */
export function useKit(kit: Kit): void {
  ({ addStyles, el, icon, mark } = kit);
}
