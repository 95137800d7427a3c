import type { Agent } from 'node:https';
import type { DestinationStream } from 'pino';
import type { PEER_TIMEOUTS_MS } from '#platform/http';
import type { Builds } from '#platform/releases';

/** Dependencies on the outside world that tests replace. */
export interface ExternalDeps {
  /** The clock of sessions and jobs, in milliseconds. */
  now?: () => number;
  /** The destination of log lines. */
  logTo?: DestinationStream;
  /** The agents of connections to push services, and to the receivers of webhooks. */
  pushAgent?: Agent;
  webhookAgent?: Agent;
  /** The folders of the built dashboard and widget. */
  builds?: Builds;
  /** How long after the start these are kept for pages of this release, in milliseconds. */
  releaseKeptAfterMs?: number;
  /** The bcrypt cost of new passwords. */
  passwordCost?: number;
  /** The intervals of looking for due notices and snoozed chats, and whether a backup is due, in milliseconds. */
  noticesEveryMs?: number;
  backupsEveryMs?: number;
  /** After this long, copying or checking a backup is ended, in milliseconds. */
  backupMaxMs?: number;
  /** The interval at which storage counters are written, in milliseconds. */
  usageEveryMs?: number;
  /** The interval at which a node says in the database that it is there, in milliseconds. */
  beatEveryMs?: number;
  /** The interval at which the reconciler looks for what is missing, in milliseconds. */
  reconcileEveryMs?: number;
  /** After this long without an answer of the store, a call fails, in milliseconds. */
  storeSilentMaxMs?: number;
  /** Timeouts for real-time peers. */
  peerTimeouts?: Partial<typeof PEER_TIMEOUTS_MS>;
}
