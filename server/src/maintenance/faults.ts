/** Something that a command cannot do; its message is one sentence for whoever runs the server. */
export class MaintenanceError extends Error {}

/** A failure of the disk, said by what was to be done. */
export function diskFault(error: unknown, what: string): unknown {
  const reasons: Record<string, string> = {
    ENOSPC: 'there is no room left on the disk',
    EACCES: 'this user may not',
    EPERM: 'this user may not',
    EROFS: 'the disk is read-only',
    ENOENT: 'there is no such folder',
    ENOTDIR: 'it is not a folder',
  };
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  return reason ? new MaintenanceError(`${what}: ${reason}.`) : error;
}

/** A refusal of a database, said in a sentence. */
export function databaseFault(error: unknown): unknown {
  if (!(error instanceof Error) || !error.name.startsWith('Mongo')) return error;
  if (/ServerSelection|Network/.test(error.name))
    return new MaintenanceError('The database does not answer. Is it running, and is this the right one?');
  return new MaintenanceError(`The database refuses: ${error.message}`);
}
