import type { Feature } from '../feature.ts';
import { AuditModel, startAuditLog } from './auditLog.ts';
/** The audit log: who did what. */
export const audit: Feature = {
  models: [AuditModel],
  inReserve: { audit: {} },
  listeners: ({ now }) => [startAuditLog(now)],
};
