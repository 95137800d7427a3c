export { type AuditDoc, readAuditLog, startAuditLog } from './auditLog.ts';
