import type { Feature } from '../feature.ts';
import { OutageModel, watchOutages } from './outages.ts';

/** Outages of mail and push. */
export const outages: Feature = {
  models: [OutageModel],
  listeners: (context) => [watchOutages(context)],
};
