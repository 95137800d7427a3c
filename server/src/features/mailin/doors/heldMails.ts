import { MAIL_MAX_BYTES } from '../contract.ts';

/** Mails in memory, in bytes, of all connections together. */
const HELD_MAX_BYTES = 64 * 1024 * 1024;

/** What a mail server is answered: a code of SMTP, and a text that begins with a status of RFC 3463. */
export class Refused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** Holds the mails that come in while they are handed on. */
export interface HeldMails {
  /**
   * Reads a mail to its end and hands it on.
   * @throws Refused when it is too large (552), or too much is held (452); the rest is read, but not kept
   */
  whole(stream: AsyncIterable<Buffer>, handOn: (raw: Buffer) => Promise<unknown>): Promise<void>;
}

/** @param maxBytes for all mails together */
export function createHeldMails(maxBytes = HELD_MAX_BYTES): HeldMails {
  let held = 0;
  return {
    async whole(stream, handOn) {
      let own = 0;
      let pieces: Buffer[] = [];
      let refusal: Refused | null = null;
      const release = () => {
        held -= own;
        own = 0;
        pieces = [];
      };
      try {
        for await (const piece of stream) {
          if (refusal) continue;
          own += piece.length;
          held += piece.length;
          pieces.push(piece);
          if (own > MAIL_MAX_BYTES) refusal = new Refused(552, '5.3.4 The mail is too large');
          else if (held > maxBytes) refusal = new Refused(452, '4.3.1 Too many mails at once, try again later');
          if (refusal) release();
        }
        if (refusal) throw refusal;
        await handOn(Buffer.concat(pieces, own));
      } finally {
        release();
      }
    },
  };
}
