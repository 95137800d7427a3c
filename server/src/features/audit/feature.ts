import type { Feature } from '#app/feature';
import { startAuditLog } from './auditLog.ts';
/** The audit log: who did what. */
export const audit: Feature = {
  inReserve: { audit: {} },
  listeners: ({ now }) => [startAuditLog(now)],
};
