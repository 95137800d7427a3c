/** A command cannot do what was asked. The message is one sentence for the operator. */
export class MaintenanceError extends Error {}

/** Translates a disk error into a MaintenanceError; `what` says which action failed. */
export function explainDiskError(error: unknown, what: string): unknown {
  const reasons: Record<string, string> = {
    ENOSPC: 'the disk is full',
    EACCES: 'this user has no permission',
    EPERM: 'this user has no permission',
    EROFS: 'the disk is read-only',
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is not a folder',
  };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason ? new MaintenanceError(`${what}: ${reason}.`) : error;
}

/** Translates a database's refusal into one sentence. */
export function explainDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || !error.name.startsWith('Mongo')) return error;
  if (/ServerSelection|Network/.test(error.name))
    return new MaintenanceError('The database does not answer. Check that it runs and that its address is correct.');
  return new MaintenanceError(`The database refused the command: ${error.message}`);
}
