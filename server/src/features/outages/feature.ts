import type { Feature } from '#app/feature';
import { watchOutages } from './outages.ts';

/** Outages of mail and push. */
export const outages: Feature = {
  listeners: (context) => [watchOutages(context)],
};
