import { HOUR_MS } from '#platform/time';

/**
 * For how many hours a mail of each kind is worth sending. An older one is dropped: after a mail server's outage, an operator's
 * pause or a restored backup, nobody is mailed what is no longer true.
 */
const KEPT_HOURS = {
  /** As long as its link works. */
  reset: 1,
  address: 24,
  test: 1,
  waiting: 24,
  offline: 24,
  answer: 24,
  mention: 24,
  rule: 24,
  transcript: 24,
  storage: 24,
  backup: 24,
  outage: 24,
  // Still true after a weekend without a mail server.
  invite: 72,
  security: 72,
  webhook: 72,
} as const;

/** The kinds of mails; the log has them instead of addresses. */
export type MailKind = keyof typeof KEPT_HOURS;

/** For how long a mail of this kind is worth sending. */
export const keptMs = (kind: MailKind) => KEPT_HOURS[kind] * HOUR_MS;

/** The same for a mail of unknown kind. */
export const KEPT_MAX_MS = Math.max(...Object.values(KEPT_HOURS)) * HOUR_MS;
