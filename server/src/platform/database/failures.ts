/** MongoDB's code for a write that a unique index refuses. */
export const DUPLICATE_KEY = 11_000;
/** MongoDB's code for a write that the disk has no room for. */
export const OUT_OF_DISK_SPACE = 14_031;
const MAX_TIME_EXPIRED = 50;

/**
 * After these the same call may succeed in a moment: the replica set changes its primary (not primary, stepped down, interrupted,
 * shutting down, in recovery), or two writes met.
 */
const PASSING = new Set([91, 112, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
/**
 * PostgreSQL's states 57P01 to 57P03 (it stops, crashed, or starts) and 40P01 (deadlock), as DocumentDB makes numbers of them.
 * FerretDB answers with the code of any failure, and has only the text; so does DocumentDB when PostgreSQL is not there.
 */
const PASSING_IN_POSTGRESQL = new Set([16_908_741, 33_685_957, 50_463_173, 16_908_292]);
const POSTGRESQL_RESTARTS =
  /the database system is (starting|shutting|in recovery|not)|terminating connection|deadlock detected|error (connecting to|communicating with the) server|^connection closed/;

/** Whether a database refused a command because of a restart, a change of the primary or a write beside it: for a moment only. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'number')) return false;
  const { code, message } = error;
  return PASSING.has(code) || PASSING_IN_POSTGRESQL.has(code) || POSTGRESQL_RESTARTS.test(message);
}

/** Whether a database could not do it now: also because it was too slow, so that trying again at once would make that worse. */
export function isBusy(error: unknown): boolean {
  return isPassing(error) || (error instanceof Error && 'code' in error && error.code === MAX_TIME_EXPIRED);
}
