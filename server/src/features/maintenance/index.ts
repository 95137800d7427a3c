export { COMMANDS, FOLDER_COMMANDS } from './commands.ts';
export { explainDatabaseError, MaintenanceError } from './errors.ts';
