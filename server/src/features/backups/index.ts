export { type Backups, startBackups } from './backups.ts';
