import type { Feature } from '#app/feature';
import { watchOutages } from './outages.ts';

/** Outages of mail, push and webhooks. */
export const outages: Feature = {
  listeners: (context) => [watchOutages(context)],
};
