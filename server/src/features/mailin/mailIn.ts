import type { MailInSettings } from '#platform/env';
import { createMailChecks, type MailChecks } from './check/checks.ts';
import type { MailDoor, MailOutcome } from './contract.ts';
import { createMailReader, type MailReader } from './reading/reader.ts';
import { createReplyAddresses, type ReplyAddresses } from './replyAddresses.ts';

declare module '#platform/events' {
  interface Events {
    /** A door was opened, worked, or (`failure`: its error) does not. */
    mailInTried: { door: MailDoor; failure: string | null };
    /** A mail was taken to its end. */
    mailReceived: { door: MailDoor; outcome: MailOutcome };
  }
}

/** Who hands a mail over, and what its envelope says. */
export interface Envelope {
  door: MailDoor;
  /** '' is the empty sender of reports; null: the door does not know it. */
  from: string | null;
  to: string[];
}

/**
 * Takes a mail to its end: what every door does with each mail. Idempotent.
 * @throws AppError 5xx, or whatever the database throws: nothing is decided yet, so the door tries again later
 */
export type Receive = (raw: Uint8Array, envelope: Envelope) => Promise<MailOutcome>;

/** What mails that come in need, of a server with a door. */
export interface MailIn {
  settings: MailInSettings;
  addresses: ReplyAddresses;
  checks: MailChecks;
  reader: MailReader;
  /** The sender of all mails, in lower case. */
  sender: string;
  /** With what the links in mails begin that lead into a chat. */
  links: string[];
}

interface MailInDeps extends Pick<MailIn, 'sender' | 'links'> {
  /** The built `mail-worker`. */
  workerUrl: URL;
  now: () => number;
}

/** Creates it for one server. */
export function createMailIn(settings: MailInSettings, { sender, links, workerUrl, now }: MailInDeps): MailIn {
  const addresses = createReplyAddresses(settings, now);
  const [checks, reader] = [createMailChecks(addresses, now), createMailReader(workerUrl)];
  return { settings, addresses, checks, reader, sender: sender.toLowerCase(), links };
}
