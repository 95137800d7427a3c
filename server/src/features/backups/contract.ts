/** The automatic backups, as platform admins see them. */
export interface BackupReport {
  /** The newest complete one; null: there is none yet. `at` ISO 8601 UTC. */
  last: { at: string; bytes: number } | null;
  /** How many there are, and how many are kept. */
  count: number;
  keep: number;
  /** Why the last try failed; null: it did not. `at` ISO 8601 UTC. */
  failure: { at: string; reason: string } | null;
}

/** The last automatic backup has failed; shown to platform admins until one succeeds. */
export interface BackupNotice {
  about: 'backup';
  reason: string;
  /** The newest complete backup; ISO 8601 UTC; null: there is none. */
  lastAt: string | null;
}
