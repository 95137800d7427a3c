import type { Feature } from '../feature.ts';
import { AuditModel } from './model.ts';
import { keepTrail } from './trail.ts';

/** The record of who did what. */
export const audit: Feature = {
  models: [AuditModel],
  inReserve: { audit: {} },
  listeners: ({ now }) => [keepTrail(now)],
};
