/** The ways in which mails come in: a mailbox that is read, a port for mail servers, a call for programs. */
export const MAIL_DOORS = ['imap', 'smtp', 'lmtp', 'http'] as const;
export type MailDoor = (typeof MAIL_DOORS)[number];

/** The largest mail that is taken: a file of 10 MB in base64, and a text. */
export const MAIL_MAX_BYTES = 15 * 1024 * 1024;
/** For so long after the last mail about a chat, it can be answered. */
export const REPLY_DAYS = 30;

/**
 * Why a mail became no message: it belongs to no chat; its address has expired; the visitor is blocked or gone; the sender may not answer (any more); it is from a
 * machine, or a mailing list; a mail of Parley's own came back; a report about undelivered mail; the same text again, or too many in an hour; it is too large, or cannot be
 * read; there is nothing in it; the website's storage is full.
 */
export const MAIL_REFUSALS = [
  'unknown',
  'expired',
  'blocked',
  'gone',
  'notAllowed',
  'automatic',
  'list',
  'own',
  'report',
  'repeated',
  'tooMany',
  'tooLarge',
  'unreadable',
  'empty',
  'full',
] as const;
export type MailRefusal = (typeof MAIL_REFUSALS)[number];

/**
 * What became of a mail. `known`: it is stored already; `bounce`: an address does not exist; `check`: the self-check's own; `later`: nothing
 * yet, because a reason stands against it that passes. Whoever hands it over keeps it, and tries again. Too many mails are not put
 * off: that is what ends two machines that answer each other.
 */
export type MailOutcome =
  | { end: 'added' | 'known' | 'bounce' | 'check' }
  | { end: 'refused'; reason: MailRefusal }
  | { end: 'later'; reason: Extract<MailRefusal, 'full'> };

/** A door as its last tries left it. */
export interface MailDoorState {
  door: MailDoor;
  /** The node that speaks; null: of all nodes. */
  node: string | null;
  isOpen: boolean;
  /** Since when it is open or not. ISO 8601 UTC, as are the others. */
  since: string;
  /** Why it is not open; null also where the node that read the mailbox has ended. */
  error: string | null;
  /** When the last mail came through such a door; null: not within 30 days. */
  lastMailAt: string | null;
}

/** What came in by mail, for platform admins. */
export interface MailInState {
  /** What mails are answered to, without a token. */
  address: string;
  doors: MailDoorState[];
  /** Mails that stay in the mailbox for a later try, and since when the first of them does; null: none. */
  waiting: { count: number; since: string } | null;
  /** Of this UTC day. `later`: how often a mail was put off; each of its tries counts. */
  today: { added: number; later: number; refused: Partial<Record<MailRefusal, number>> };
}

/** The whole text of a mail that became a message. */
export interface WholeMail {
  from: string | null;
  subject: string;
  text: string;
}

/** The self-check of one's own mail: one is sent to the address with a token, one to the address alone. `via`: the door; null: not arrived (yet). */
export interface MailInCheck {
  _id: string;
  /** ISO 8601 UTC */
  startedAt: string;
  /** No more is waited for. */
  isOver: boolean;
  plus: { via: MailDoor; ms: number } | null;
  plain: { via: MailDoor; ms: number } | null;
}

/** The query of a mail that a program hands over; the mail itself is the body (`message/rfc822`). */
export interface MailInQuery {
  /** The envelope, where the program knows it; `from` is empty of reports. */
  from?: string;
  to?: string;
}

/** The calls about mails that come in. */
export interface MailInApi {
  /** Takes a mail from a program that knows `MAIL_IN_SECRET`. A 5xx means: try again, after `Retry-After`. */
  'POST /mail/in': { query: MailInQuery; data: { outcome: Exclude<MailOutcome, { end: 'later' }> } };
  'GET /chats/:id/messages/:messageId/mail': { data: { mail: WholeMail } };
}
