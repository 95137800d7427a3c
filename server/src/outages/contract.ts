/** The services outside of Parley without which people are not told of what happens. */
export type OutsideService = 'mail' | 'push';

/** Such a service has been failing for an hour or longer; shown to platform admins. */
export interface OutageNotice {
  about: OutsideService;
  /** When the first of the failures happened; ISO 8601 UTC. */
  since: string;
  /** The last failure: an error code, or the answer's status. */
  reason: string;
}
