/** Characters of a mail's text that are read, and kept. What is beyond is mostly quotes, and would hold the server up while they are looked for. */
export const TEXT_MAX_LENGTH = 32_000;

/** A mail as the worker thread has read it. All addresses are in lower case, all `Message-ID`s in angle brackets. */
export interface ReadMail {
  messageId: string | null;
  /** The address of `From`; null: there is none. */
  from: string | null;
  /** All addresses that it was sent to: of `To`, `Cc` and the headers in which mail servers note recipients. */
  recipients: string[];
  /** What it answers: of `In-Reply-To`, then of `References`, the newest first. */
  answered: string[];
  /** `Return-Path`; '' is the empty one of reports; null: the mail has none. */
  returnPath: string | null;
  subject: string;
  /** Why a machine has sent it, or a mailing list; null: a person has. */
  machine: 'automatic' | 'list' | 'report' | null;
  /** Of a report that a mail could not be delivered for good: the status (`5.1.1`), the address and the mail that it is about. */
  bounce: Bounce | null;
  /** The plain part, or else the text of the HTML. Quotes of HTML begin with `> `. Lines end with `\n`. */
  text: string;
  /** The files, without small pictures of signatures and tracking pixels. */
  files: MailFile[];
  /** The names of files that are too large, or too many. */
  leftOut: string[];
}

/** What a report says about a mail that could not be delivered for good. */
export interface Bounce {
  /** @see https://www.rfc-editor.org/rfc/rfc3463 */
  status: string;
  recipient: string | null;
  /** Of the mail that came back. */
  messageId: string | null;
}

/** A file of a mail. */
export interface MailFile {
  name: string;
  content: Uint8Array;
  /** The SHA-256 of the content, in hex: made in the reader's thread, because large files would hold the server up. */
  digest: string;
}
