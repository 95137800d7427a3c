import type { DomHelpers } from '../host.ts';

/** The loader's DOM helpers, so that a page loads them once. Each lazily loaded script has its own copy of these variables. */
export let { addStyles, el, icon, mark } = {} as DomHelpers;

/** Sets the helpers. Call it first in every script. */
export function useDomHelpers(dom: DomHelpers): void {
  ({ addStyles, el, icon, mark } = dom);
}
