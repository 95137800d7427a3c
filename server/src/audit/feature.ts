import type { Feature } from '../feature.ts';
import { startAuditLog } from './auditLog.ts';
/** The audit log: who did what. */
export const audit: Feature = {
  inReserve: { audit: {} },
  listeners: ({ now }) => [startAuditLog(now)],
};
