import { createHash } from 'node:crypto';
import type { Assistance } from '#features/chats';
import type { Usage } from '#features/usage';
import type { Pictures } from '#platform/files';
import type { Limits } from '#platform/http';
import { uuidOf } from '#platform/secrets';
import type { MailOutcome, MailRefusal } from '../contract.ts';
import type { MailIn } from '../mailIn.ts';
import type { ReadMail } from '../reading/mail.ts';
import type { ReplyAddressDoc } from '../replyAddresses.ts';

/** What receiving mails needs of the server. */
export interface ReceiverDeps {
  mailIn: MailIn;
  limits: Limits;
  usage: Usage;
  pictures: Pictures;
  assistance: Assistance;
  now: () => number;
}

/** A mail of a person, and the address that it answers. */
export interface AddressedMail {
  mail: ReadMail;
  address: ReplyAddressDoc;
  /** Its `Message-ID`, or one made of its bytes: the same each time it comes. */
  id: string;
  /** An earlier try has stored its message: what is missing of it is added, and nothing is refused any more. */
  isKnown: boolean;
}

export const refused = (reason: MailRefusal): MailOutcome => ({ end: 'refused', reason });

/** What a mail is known by. One without a `Message-ID` is known by its bytes. */
export function idOf({ messageId }: ReadMail, raw: Uint8Array): string {
  return messageId ?? `<${createHash('sha256').update(raw).digest('hex')}@mail.invalid>`;
}

/**
 * The `clientId` of a mail's message, which every node and every try makes alike: so it is stored once.
 * @param file the number of its file, from 0; left out: its text
 */
export function clientIdOf({ id, address }: Pick<AddressedMail, 'id' | 'address'>, file?: number): string {
  return uuidOf(`mail ${address._id} ${id} ${file ?? 'text'}`);
}

/** As whom a mail is stored. */
export const senderKeyOf = ({ user, visitor }: ReplyAddressDoc) => (user ? `u:${user}` : `v:${visitor}`);
