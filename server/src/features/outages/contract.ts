/** The outside services without which nobody is notified, or (`mailIn`) answers by mail do not come in. */
export type OutsideService = 'mail' | 'push' | 'mailIn';

/** Since when something fails, and how. */
interface Outage {
  /** ISO 8601 UTC. */
  since: string;
  /** The last failure: an error code, or the answer's status. */
  reason: string;
}

/** What fails outside of Parley; shown to platform admins. */
export type OutageNotice =
  /** A service that has been failing for an hour or longer. */
  | (Outage & { about: OutsideService })
  /** The host that a webhook of this site leads to has no valid certificate. */
  | (Outage & { about: 'certificate'; siteName: string; host: string });
