// The public pages.
export { COMING_SOON, type ComingSoon } from './comingSoon.ts';
